//! What people read after the options of the verbs that are about schemes.

/// After the options of `locator plan`.
pub(crate) const PLAN: &str = "\
Examples:
  locator plan ftp://myname@host.dom/%2Fetc/motd
  locator plan --octets 'gopher://gopher.dom/7/search%09whales' | od -c
  locator plan --email joe@example.com ftp://host/pub/README
  locator plan --proxy cache.example:3128 ftp://host/a
  locator plan --news-server news.example.com news:comp.infosystems.www.misc
  locator plan --program 'telnet=telnet {host} {port}' telnet://host/
  locator plan --gateway 'wais=http://gw.test/{host}/{path}?{query}' wais://h/d

Exit status: 0 all have a plan, 1 at least one has none, 2 wrong use, 130
interrupted.";

/// Before that, with `--help`.
pub(crate) const PLAN_LONG: &str = "\
Nothing is sent: the plan is what would be. A URL that would put a line's end
or another command of its protocol on the wire has no plan.

Output:
  C: what is sent, S: what the server must say; \"after 331\" stands before what
  is done only after that reply. What is no printable ASCII is shown by its
  name, <TAB>, or its code, <E9>. With --octets only what is sent is written,
  octet for octet; what must be asked first is left out.

  With --json one object a line:
    {\"input\":…,\"edition\":…,\"plan\":[{\"step\":\"connect\",…},…]}
  or {\"input\":…,\"edition\":…,\"error\":{…}}.

Configuration:
  email = \"joe@example.com\"
  news_server = \"news.example.com:119\"
  proxy = \"cache.example:3128\"
  ftp_text = false
  low_ports = false
  [programs]
  telnet = [\"xterm\", \"-e\", \"telnet\", \"{host}\", \"{port}\"]
  [gateways]
  wais = \"http://gw.example/{host}/{path}?{query}\"";

/// After `locator schemes --help`.
pub(crate) const SCHEMES: &str = "\
Examples:
  locator schemes
  locator schemes htp gopher
  locator schemes --json | jq -r '.name'";
