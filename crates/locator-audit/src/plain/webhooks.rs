//! Webhooks: takes a host and a path, and returns whose webhook the URL is. Knowing such a URL is enough to write to a
//! channel or to start a flow, so its path is a credential.
//!
//! ```text
//! assert_eq!(webhook("ptb.discord.com", "/api/v10/webhooks/1234567890/aBcD1234")?.service, "Discord");
//! ```

use super::tokens::{is_example, is_placeholder};

/// A service, and the form of its webhooks.
pub(crate) struct Webhook {
    pub(crate) service: &'static str,
    /// The host; one that begins with "." is the end of a host.
    host: &'static str,
    /// How the path begins; "*" is one segment.
    path: &'static str,
    /// How many segments of at least [`LEAST`](Self::LEAST) octets follow.
    segments: usize,
}

impl Webhook {
    /// The least length of a segment that is a secret or an id.
    const LEAST: usize = 6;

    /// Returns whether the credential is in the query, not in the path.
    pub(crate) fn is_in_query(&self) -> bool {
        self.path.contains('?')
    }

    fn is(&self, host: &str, path: &str) -> bool {
        if !self.has_host(host) {
            return false;
        }
        let Some(rest) = after(path, self.path) else { return false };
        let parts = rest.split('/').filter(|part| part.len() >= Self::LEAST);
        parts.clone().count() >= self.segments
            && !parts
                .clone()
                .any(|part| is_example(part) || part.contains(is_of_template) && is_placeholder(part))
    }

    fn has_host(&self, host: &str) -> bool {
        let host = host.strip_suffix('.').unwrap_or(host);
        if !self.host.starts_with('.') {
            return self.host.eq_ignore_ascii_case(host);
        }
        let start = host.len().checked_sub(self.host.len());
        start.and_then(|start| host.get(start..)).is_some_and(|end| end.eq_ignore_ascii_case(self.host))
    }
}

/// Returns whether a character is of the name of a variable. Ids and secrets of Slack may be of capitals alone.
const fn is_of_template(c: char) -> bool {
    matches!(c, '_' | '$' | '{' | '<' | '[' | '*' | '%')
}

/// Returns what follows a beginning of a path, in which "*" is one segment.
fn after<'p>(path: &'p str, start: &str) -> Option<&'p str> {
    let Some((before, behind)) = start.split_once('*') else { return path.strip_prefix(start) };
    let rest = path.strip_prefix(before)?;
    rest.get(rest.find('/')?..)?.strip_prefix(behind)
}

/// Returns the webhook that a URL is, by its host and its path with the query; `None` if it is none.
pub(crate) fn webhook(host: &str, path: &str) -> Option<&'static Webhook> {
    WEBHOOKS.iter().find(|webhook| webhook.is(host, path))
}

/// Returns whether a service has webhooks at the host.
pub(crate) fn has_webhooks(host: &str) -> bool {
    WEBHOOKS.iter().any(|webhook| webhook.has_host(host))
}

/// Returns the hosts, for tests of what is ordinary.
#[cfg(test)]
pub(crate) fn hosts() -> impl Iterator<Item = std::string::String> {
    let with_name = |host: &str| if host.starts_with('.') { std::format!("a{host}") } else { host.into() };
    WEBHOOKS.iter().map(move |webhook| with_name(webhook.host))
}

const fn row(service: &'static str, host: &'static str, path: &'static str, segments: usize) -> Webhook {
    Webhook { service, host, path, segments }
}

/// Sources: the services' documentation of incoming webhooks.
#[rustfmt::skip]
static WEBHOOKS: [Webhook; 53] = [
    row("Slack", "hooks.slack.com", "/services/", 3),
    row("Slack", "hooks.slack.com", "/workflows/", 3),
    row("Slack", "hooks.slack.com", "/triggers/", 2),
    row("Slack", "hooks.slack-gov.com", "/services/", 3),
    row("Discord", "discord.com", "/api/webhooks/", 2),
    row("Discord", "discord.com", "/api/*/webhooks/", 2),
    row("Discord", "ptb.discord.com", "/api/webhooks/", 2),
    row("Discord", "ptb.discord.com", "/api/*/webhooks/", 2),
    row("Discord", "canary.discord.com", "/api/webhooks/", 2),
    row("Discord", "canary.discord.com", "/api/*/webhooks/", 2),
    row("Discord", "discordapp.com", "/api/webhooks/", 2),
    row("Discord", "discordapp.com", "/api/*/webhooks/", 2),
    row("Telegram", "api.telegram.org", "/bot", 1),
    row("Google Chat", "chat.googleapis.com", "/v1/spaces/", 2),
    row("Microsoft Teams", ".webhook.office.com", "/webhookb2/", 3),
    row("Microsoft Teams", "outlook.office.com", "/webhook/", 3),
    row("Microsoft Teams", "outlook.office365.com", "/webhook/", 3),
    row("Azure Logic Apps", ".logic.azure.com", "/workflows/", 1),
    row("Power Automate", ".api.powerplatform.com", "/powerautomate/automations/direct/workflows/", 1),
    row("Zapier", "hooks.zapier.com", "/hooks/catch/", 2),
    row("Make", "hook.eu1.make.com", "/", 1),
    row("Make", "hook.eu2.make.com", "/", 1),
    row("Make", "hook.us1.make.com", "/", 1),
    row("Make", "hook.us2.make.com", "/", 1),
    row("Make", "hook.integromat.com", "/", 1),
    row("IFTTT", "maker.ifttt.com", "/trigger/*/with/key/", 1),
    row("IFTTT", "maker.ifttt.com", "/trigger/*/json/with/key/", 1),
    row("Webex", "webexapis.com", "/v1/webhooks/incoming/", 1),
    row("Webex", "api.ciscospark.com", "/v1/webhooks/incoming/", 1),
    row("Feishu", "open.feishu.cn", "/open-apis/bot/v2/hook/", 1),
    row("Lark", "open.larksuite.com", "/open-apis/bot/v2/hook/", 1),
    row("WeCom", "qyapi.weixin.qq.com", "/cgi-bin/webhook/send?key=", 1),
    row("Telegram", "api.telegram.org", "/file/bot", 1),
    row("Google Calendar", "calendar.google.com", "/calendar/ical/*/private-", 1),
    row("Google Calendar", "www.google.com", "/calendar/ical/*/private-", 1),
    row("Outlook Calendar", "outlook.live.com", "/owa/calendar/", 3),
    row("Outlook Calendar", "outlook.office365.com", "/owa/calendar/", 2),
    row("Healthchecks", "hc-ping.com", "/", 1),
    row("Better Stack", "uptime.betterstack.com", "/api/v1/heartbeat/", 1),
    row("Dead Man's Snitch", "nosnch.in", "/", 1),
    row("Cronitor", "cronitor.link", "/p/", 1),
    row("Infura", ".infura.io", "/v3/", 1),
    row("Infura", ".infura.io", "/ws/v3/", 1),
    row("Alchemy", ".g.alchemy.com", "/v2/", 1),
    row("Alchemy", ".alchemyapi.io", "/v2/", 1),
    row("QuickNode", ".quiknode.pro", "/", 1),
    row("PagerDuty", "events.pagerduty.com", "/integration/", 1),
    row("Splunk On-Call", "alert.victorops.com", "/integrations/generic/*/alert/", 1),
    row("Airtable", "hooks.airtable.com", "/workflows/v1/genericWebhook/", 3),
    row("Workato", "webhooks.workato.com", "/webhooks/rest/", 1),
    row("Guilded", "media.guilded.gg", "/webhooks/", 2),
    row("Home Assistant", "hooks.nabu.casa", "/", 1),
    row("DingTalk", "oapi.dingtalk.com", "/robot/send?access_token=", 1),
];

#[cfg(test)]
mod tests {
    use super::webhook;

    #[test]
    fn webhooks_of_services() {
        for (host, path, service) in [
            ("hooks.slack.com", "/services/T0A1B2C3D/B0A1B2C3D/a1b2c3d4e5f6", Some("Slack")),
            ("hooks.slack.com", "/workflows/T0A1B2C3D/A0A1B2C3D/123456789012/a1b2c3d4", Some("Slack")),
            ("hooks.slack.com", "/triggers/T0A1B2C3D/1234567890/a1b2c3d4e5f6", Some("Slack")),
            ("canary.discord.com", "/api/webhooks/123456789012/aB3dE6gH", Some("Discord")),
            ("discord.com", "/api/v10/webhooks/123456789012/aB3dE6gH", Some("Discord")),
            (
                "contoso.webhook.office.com",
                "/webhookb2/0f8fad5b@d9cb/IncomingWebhook/0a1b2c3d/4e5f6a7b",
                Some("Microsoft Teams"),
            ),
            (
                "prod-07.westus.logic.azure.com",
                "/workflows/0f8fad5bd9cb/triggers/manual/paths/invoke",
                Some("Azure Logic Apps"),
            ),
            ("hooks.zapier.com", "/hooks/catch/1234567/o1a2b3c/", Some("Zapier")),
            ("hook.eu1.make.com", "/a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6", Some("Make")),
            ("maker.ifttt.com", "/trigger/door/with/key/dA1b2C3d4E5", Some("IFTTT")),
            ("qyapi.weixin.qq.com", "/cgi-bin/webhook/send?key=693a91f6-7xx1", Some("WeCom")),
            ("hooks.slack.com", "/services/TABCDEFGH/BABCDEFGH/QWERTZUIOPASDFGHJKLYXCVB", Some("Slack")),
            ("hooks.slack.com.", "/services/T0A1B2C3D/B0A1B2C3D/a1b2c3d4e5f6", Some("Slack")),
            ("hooks.slack.com", "/services/SLACK_TEAM/SLACK_HOOK/SLACK_TOKEN", None),
            ("hooks.slack.com", "/services/", None),
            ("hooks.slack.com", "/services/T00000000/B00000000/XXXXXXXXXXXX", None),
            ("www.make.com", "/en/help", None),
            ("discord.com", "/api/v10/channels/123456789012", None),
            ("logic.azure.com", "/workflows/0f8fad5bd9cb", None),
        ] {
            assert_eq!(webhook(host, path).map(|found| found.service), service, "{host}{path}");
        }
    }
}
