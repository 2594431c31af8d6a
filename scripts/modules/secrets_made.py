#!/usr/bin/env python3
"""Writes made-up URLs by which the hiding of secrets is measured, always the same.

    scripts/modules/secrets_made.py [FOLDER]

FOLDER is testdata/secrets without an argument. `ordinary.txt` gets 1,000 URLs whose parameters have the
names of secrets, such as `code`, `key` and `sid`, and ordinary values: nothing should be hidden. `secret.txt`
gets 300 URLs with a secret, each after it and a tab. The test `hidden` of the library counts both.
"""
import base64
import hashlib
import sys
from itertools import count
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[2]
BASE62 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
HEX = "0123456789abcdef"
LOWER = "abcdefghijklmnopqrstuvwxyz0123456789"

NAMES = {
    "sid": "sid gsid ssid ses".split(),
    "session": "session class_session sess".split(),
    "ticket": "ticket ticket_no support-ticket".split(),
    "auth": "auth auth_type".split(),
    "code": "code accessCode countryCode invite_code".split(),
    "key": "key sortKey filter_key apiVersionKey lookup-key".split(),
    "sig": "sig signature sign".split(),
    "otp": "otp totp".split(),
    "state": "state relay_state".split(),
    "token": "token next_token contract_token".split(),
    "nonce": "nonce salt".split(),
    "hash": "hash digest".split(),
    "reset": "reset confirm verify challenge".split(),
}
VALUES = {
    "sid": "04/12/01/2 02/10/12/1710205 2004-11-03 17 6167057 class_cat Aosd d05b GCA_000001405.15 4302 SID12 "
    "north-2 sensor_17 0 12,13,14 S-1-5-21 x86-64 news42",
    "session": "spring-2024 2023-24 fall2022 12 morning A-101 keynote opening_keynote WS-2024/25 2024-06-11T09:30 "
    "day2-track3 118th hearing-2024-03-14 workshop3b Q3 summer-school-2019 s01e04 none",
    "ticket": "1234 JIRA-1234 INC0012345 adult 2xadult vip-2024 T-2024-00123 early_bird open #4711 RT1289 "
    "LH0220123456789 BUG-9 8005551234567 child,adult general-admission-2024",
    "auth": "none 23 basic y oauth2 kerberos required optional saml2 ldap-v3 smith_j guest optional-v2 no",
    "code": "US DE en-US 404 E11.9 SUMMER2024 SAVE20 w40k 030000 ISO-8859-1 GB-ENG 75001 SW1A+1AA 94103-1234 "
    "MATH101 CS-229A LH1234 JFK 0x80070005 E1001 978-3-16-148410-0 9780306406157 AB123 20240115 java html5 "
    "B07XJ8C8F5 EUR Q42 ICD-10-CM P0420 C18H24O2 320037",
    "key": "name ecbuild Befunge title date-desc user:1234:name page2_section3 C%23minor F5 home.hero.title price "
    "2024-01 author.last-name smart_category id 42 100462 items.0.label utf8 primary created_at release-1.2.3-rc4 "
    "menu.item12.sub3 abc123 row17 /a/b/c.txt docs/v2/api.md",
    "sig": "1 yes none n/a GPG v4 inline dr+smith JS -1 detached",
    "otp": "true sms email 1 on required off yes app",
    "state": "CA open ct closed NY pending in_progress new-south-wales waiting_for_approval 1 3 template "
    "Baden-W%C3%BCrttemberg published step2 page:3 draft/2024 2024-05-01T10:20:30Z ready+to+ship q=red&page=2",
    "token": "ETH usd-coin BTC 12 second word NFT the 3 ERC20 first+token wrapped-bitcoin 0 true",
    "nonce": "1 1700000000 42 20240115101530 7 16 none sea",
    "hash": "section-2 top chapter-12.3 sha256 md5 42 introduction a1b2c3d main v1.2.3 L120-L140 tab=2 25",
    "reset": "1 true all yes filters no 0 password 2024-01-01 math-puzzle30 30-day captcha cart",
}
HOSTS = "www.example.com shop.example.org news.example.net example.edu/catalog app.example.io/v2 h.example:8080".split()
PATHS = "/ /list /search.php /a/b /index.jsp /view.aspx /cgi-bin/q.pl /docs/page.html /en/item/42".split()
OTHERS = "page=2 lang=en q=red+shoes id=1234 utm_source=mail sort=asc v=1.2 ref=home".split()


class Random:
    """Numbers that depend on the seed alone, in every version of Python."""

    def __init__(self, seed):
        self.seed, self.next = seed, count()

    def below(self, limit):
        digest = hashlib.sha256(f"{self.seed} {next(self.next)}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % limit

    def of(self, many):
        return many[self.below(len(many))]

    def text(self, alphabet, length):
        return "".join(self.of(alphabet) for _ in range(length))

    def octets(self, length):
        return bytes(self.below(256) for _ in range(length))


def ordinary(random):
    for number in range(1000):
        kind = list(NAMES)[number % len(NAMES)]
        name = random.of(NAMES[kind])
        name = [name, name, name, name.upper(), name.title()][random.below(5)]
        pair = f"{name}={random.of(VALUES[kind].split())}"
        url = f"https://{random.of(HOSTS)}{random.of(PATHS)}"
        match random.below(8):
            case 0:
                yield f"{url}#{pair}"
            case 1:
                yield f"{url};{pair.replace('/', '-')}?{random.of(OTHERS)}"
            case 2:
                yield f"https://r.example/?u={quote(f'{url}?{pair}', safe='')}&{random.of(OTHERS)}"
            case 3:
                yield f"{url}?{random.of(OTHERS)};{pair};{random.of(OTHERS)}"
            case 4:
                yield f"{url}?{pair}"
            case _:
                yield f"{url}?{random.of(OTHERS)}&{pair}&{random.of(OTHERS)}"


def base64url(octets):
    return base64.urlsafe_b64encode(octets).decode().rstrip("=")


def base64_of(octets):
    return quote(base64.b64encode(octets).decode(), safe="")


def uuid(random):
    text = random.text(HEX, 32)
    return f"{text[:8]}-{text[8:12]}-4{text[13:16]}-a{text[17:20]}-{text[20:]}"


def jwt(random):
    head = base64url(b'{"alg":"HS256","typ":"JWT"}')
    body = base64url(('{"sub":"%d"}' % random.below(10**9)).encode())
    return f"{head}.{body}.{base64url(random.octets(32))}"


# Each is a URL around "{}", and how the secret is made.
FORMS = [
    # OAuth 2.0 and OpenID Connect.
    ("https://app.example/cb?code={}&state=x", lambda r: "4/0A" + r.text(BASE62 + "-_", 69)),
    ("https://app.example/cb?code={}", lambda r: r.text(HEX, 20)),
    ("https://app.example/cb?code={}&scope=a", lambda r: "M.C107_BL2.2." + uuid(r)),
    ("https://app.example/cb?iss=i&state={}", lambda r: base64url(r.octets(16))),
    ("https://app.example/cb?nonce={}", lambda r: base64url(r.octets(16))),
    ("https://app.example/cb#access_token={}&token_type=bearer", lambda r: "ya29." + r.text(BASE62 + "-_", 60)),
    ("https://app.example/#/cb?access_token={}&x=y", lambda r: base64url(r.octets(24))),
    ("https://app.example/cb#id_token={}", jwt),
    ("https://api.example/me?access_token={}", lambda r: "EAA" + r.text(BASE62, 90)),
    ("https://api.example/token?client_id=a&client_secret={}", lambda r: r.text(BASE62 + "~._-", 34)),
    ("https://api.example/token?refreshToken={}", lambda r: "1//0" + r.text(BASE62 + "-_", 50)),
    ("https://api.example/token?code_verifier={}", lambda r: base64url(r.octets(32))),
    ("https://api.example/x?oauth_signature={}&oauth_version=1.0", lambda r: base64_of(r.octets(20))),
    # Sessions.
    ("https://h.example/a;jsessionid={}?b=c", lambda r: r.text(HEX.upper(), 32)),
    ("https://h.example/a;jsessionid={}.node1", lambda r: r.text(HEX.upper(), 32)),
    ("http://h.example/x.php?PHPSESSID={}&id=2", lambda r: r.text(LOWER, 26)),
    ("http://h.example/x.php?sid={}&id=2", lambda r: r.text(HEX, 32)),
    ("http://h.example/x.php?id=2&session={}", lambda r: r.text(LOWER, 24)),
    ("http://h.example/x.asp?ASP.NET_SessionId={}", lambda r: r.text(LOWER[:26] + "012345", 24)),
    ("http://h.example/x?id=2;sessionid={};a=b", lambda r: r.text(LOWER, 32)),
    ("http://h.example/x?connect.sid=s%3A{}", lambda r: base64url(r.octets(24))),
    ("http://h.example/x?MySession={}", uuid),
    # Single sign-on.
    ("https://h.example/?ticket={}", lambda r: f"ST-{r.below(10**6)}-{r.text(BASE62, 20)}-cas01"),
    ("https://h.example/acs?SAMLResponse={}&RelayState=%2F", lambda r: base64_of(b"<samlp:Response>" + r.octets(40))),
    ("https://h.example/d?sso={}&id=2", lambda r: base64_of(r.octets(48))),
    # JSON Web Tokens.
    ("https://h.example/?jwt={}", jwt),
    ("https://h.example/ws?token={}", jwt),
    ("https://h.example/?auth={}&a=b", jwt),
    # Signed URLs.
    ("https://b.s3.amazonaws.com/k?X-Amz-Expires=9&X-Amz-Signature={}", lambda r: r.text(HEX, 64)),
    ("https://b.s3.amazonaws.com/k?X-Amz-Security-Token={}&a=b", lambda r: base64_of(r.octets(60))),
    ("https://b.s3.amazonaws.com/k?AWSAccessKeyId=A&Expires=9&Signature={}", lambda r: base64_of(r.octets(20))),
    ("https://storage.googleapis.com/b/k?X-Goog-Date=9&X-Goog-Signature={}", lambda r: r.text(HEX, 128)),
    ("https://d1.cloudfront.net/k?Policy=a&Signature={}&Key-Pair-Id=B", lambda r: r.text(BASE62 + "-~", 86)),
    ("https://a.blob.core.windows.net/c/b?sv=2022-11-02&sr=b&sig={}", lambda r: base64_of(r.octets(32))),
    ("https://a.azurewebsites.net/api/f?code={}", lambda r: base64_of(r.octets(40))),
    ("https://v.example/a.m3u8?hdnea=exp=1~acl=/*~hmac={}", lambda r: r.text(HEX, 64)),
    ("https://v.example/a?expires=1&hash={}", lambda r: r.text(HEX, 40)),
    # Keys of programming interfaces.
    ("https://maps.example/api/js?key={}", lambda r: "AIza" + r.text(BASE62 + "-_", 35)),
    ("https://api.example/weather?appid=a&apikey={}", lambda r: r.text(HEX, 32)),
    ("https://api.example/?X-API-Key={}", lambda r: r.text(BASE62, 24)),
    ("https://api.example/?subscription-key={}", lambda r: r.text(HEX, 32)),
    ("https://api.example/feed?rss_key={}", lambda r: r.text(BASE62, 32)),
    ("https://{}@git.example/a/b.git", lambda r: r.text(BASE62, 40)),
    # Passwords, resets, links in mail.
    ("https://h.example/login?user=jan&password={}", lambda r: r.of("hunter2 Tr0ub4dor&3 letmein s3cret correct+horse".split()).replace("&", "%26")),
    ("https://h.example/login?login%5Bpasswd%5D={}&a=b", lambda r: r.text(LOWER, 9)),
    ("https://h.example/reset?reset_password_token={}", lambda r: r.text(BASE62 + "-_", 20)),
    ("https://h.example/reset?token={}", uuid),
    ("https://h.example/wp-login.php?action=rp&key={}&login=jan", lambda r: r.text(BASE62, 20)),
    ("https://h.example/magic?token={}&redirect=%2F", lambda r: r.text(HEX, 64)),
    ("https://h.example/confirm?confirmation_token={}", lambda r: base64url(r.octets(20))),
    ("https://h.example/verify?email=a%40b.example&otp={}", lambda r: f"{r.below(10**6):06}"),
    ("https://h.example/act?mode=resetPassword&oobCode={}", lambda r: r.text(BASE62 + "-_", 54)),
    ("https://h.example/unsub?u=1&auth={}", lambda r: r.text(HEX, 32)),
    # URLs in URLs.
    ("https://r.example/?u=https%3A%2F%2Fh.example%2F%3Faccess_token%3D{}%26a%3Db&c=d", lambda r: r.text(HEX, 32)),
    ("https://r.example/?u=https%253A%252F%252Fh.example%252F%253Ftoken%253D{}%2526a%253Db", lambda r: r.text(BASE62, 32)),
    ("https://r.example/?u=ftp%3A%2F%2Fjan%3A{}%40h.example%2F&c=d", lambda r: r.text(LOWER, 8)),
    ("https://r.example/?u=http://h.example/;jsessionid={}?a=b&c=d", lambda r: r.text(HEX.upper(), 32)),
]


def secret(random):
    for number in range(300):
        form, make = FORMS[number % len(FORMS)]
        made = make(random)
        yield f"{made}\t{form.format(made)}"


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "testdata/secrets"
    folder.mkdir(exist_ok=True)
    for name, lines in [("ordinary", ordinary(Random(1))), ("secret", secret(Random(2)))]:
        (folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    main()
