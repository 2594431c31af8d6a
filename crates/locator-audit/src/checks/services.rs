//! Services between a link and where it leads: shorteners, trackers, wrapped links, gateways; and parameters that
//! redirect. All of them are usual, so they are of the least severity. [`MISLEADING_TEXT`] is for links with a text, which
//! `link_text` compares with where they lead.

use alloc::format;

use super::check::{Check, Excerpt, Subject};
use crate::enclosed;
use crate::finding::{Code, Finding, Findings, Precision, Severity};
use crate::plain::ordinary::is_ordinary;
use crate::services::{ServiceKind, service};
use crate::unwrap;
use locator::Component;

pub(super) static CHECK: Check =
    Check { codes: &[&SHORT_LINK, &CLICK_TRACKER, &GATEWAY, &WRAPPED_LINK, &REDIRECT], run };

static SHORT_LINK: Code = Code {
    name: "short-link",
    severity: Severity::Info,
    precision: Precision::High,
    title: "the host redirects short links: the URL does not show where it leads",
    advice: "look where it leads before you open it, for example with `locator get -I URL`",
    citation: "RFC 9110, 15.4",
    explanation: "Everybody can make such a link, and some services let its target change later. A list of forbidden hosts \
        does not see the target.",
    example: "https://bit.ly/3AbCdEf",
};

static CLICK_TRACKER: Code = Code {
    name: "click-tracker",
    severity: Severity::Info,
    precision: Precision::High,
    title: "the host counts clicks and redirects: the URL does not show where it leads",
    advice: "expect the host in mails and posts of companies; look where it leads if the sender is unknown",
    citation: "RFC 9110, 15.4",
    explanation: "Providers of newsletters replace each link of a mail by one of their own, so the host says nothing about \
        the sender: their customers are companies, and those who got into the account of one.",
    example: "https://t.co/AbCdEfGhIj",
};

static GATEWAY: Code = Code {
    name: "gateway",
    severity: Severity::Info,
    precision: Precision::High,
    title: "the host shows pages of other hosts: a cache, a translator or an archive",
    advice: "judge the page by the host that it is from, not by that of the URL",
    citation: "RFC 9110, 3.7",
    explanation: "A page of any author is seen under the well-known host, which lists of allowed hosts often have.",
    example: "https://evil-example.translate.goog/login?_x_tr_sl=de&_x_tr_tl=en",
};

static WRAPPED_LINK: Code = Code {
    name: "wrapped-link",
    severity: Severity::Info,
    precision: Precision::VeryHigh,
    title: "a service has put its own link around another URL",
    advice: "see the other URL with `locator edit --unwrap`",
    citation: "RFC 9110, 15.4",
    explanation: "Mail providers replace links so that they can check them when they are opened, and others to count clicks. \
        The target is in the link, except of Mimecast's and a few others. What is dangerous in the target is reported as of \
        a URL alone, because the link leads there.",
    example: "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwww.example.com%2F&data=05",
};

static REDIRECT: Code = Code {
    name: "redirect-parameter",
    severity: Severity::Info,
    precision: Precision::Medium,
    title: "a parameter has a URL, to which the server may redirect",
    advice: "let the server redirect to its own paths only, or to URLs of a list",
    citation: "RFC 6749, 10.15; CWE-601",
    explanation: "If the server redirects wherever the parameter says, a link with its trusted host leads anywhere (open \
        redirect). Whether it does cannot be seen in the URL. What is dangerous in the other URL is reported, too, one \
        severity lower.",
    example: "https://www.example.com/login?next=https%3A%2F%2Fother.example%2F",
};

pub(crate) static MISLEADING_TEXT: Code = Code {
    name: "misleading-text",
    severity: Severity::Medium,
    precision: Precision::High,
    title: "the text of the link names another site than the one that it leads to",
    advice: "do not open the link; write the address of the site yourself",
    citation: "RFC 3986, 7.6; CWE-451",
    explanation: "People read the text of a link, and programs follow its URL. The text is a URL or a host of another \
        registered domain. Mails of companies do this, too, where a provider counts clicks: for the hosts of such providers \
        it is only worth a note, and links of mail gateways are compared by the URL in them. The text of links is known for \
        documents only: `locator audit --documents`, or the lines of `locator find --json`.",
    example: "https://evil.example.net/",
};

fn run(subject: &Subject<'_>, findings: &mut Findings) {
    if subject.least > Severity::Info {
        return;
    }
    let wrapped = unwrap::read(subject);
    if let (Some(link), Some(host)) = (&wrapped, subject.span(Component::Host)) {
        let message = match link.target() {
            Some(_) => format!("{} has put its own link around another URL", link.service()),
            None => format!("{} has put its own link around a URL, which only it knows", link.service()),
        };
        findings.push(Finding::new(&WRAPPED_LINK, Component::Host, host).saying(message));
    }
    if let Some(Excerpt { text: host, start }) = subject.dialled_host()
        && let Some(kind) = service(host)
    {
        let code = match kind {
            ServiceKind::Shortener => &SHORT_LINK,
            ServiceKind::Tracker => &CLICK_TRACKER,
            ServiceKind::Gateway => &GATEWAY,
        };
        findings.push(Finding::new(code, Component::Host, start..start + host.len()));
    }
    if wrapped.is_none() {
        let urls = enclosed::urls(subject, is_ordinary).into_iter().filter(|url| url.is_of_redirect);
        findings.extend(urls.map(|url| Finding::new(&REDIRECT, url.component, url.span)));
    }
}
