//! Names of companies that are imitated often, with the domains that are theirs.
//!
//! As of November 2026, compiled by hand: companies that people have accounts with and whose names are often imitated, large
//! banks and payment services of countries with many users, and large exchanges. It is a choice and not a ranking, and no
//! measure says that it is complete. The domains are those under which the companies offer their services.
//!
//! What is not here, although it is imitated: words of a dictionary and names of persons or places (Apple, Amazon, Chase,
//! Orange, Discord, Ledger, Booking), because they are in many names of others; and names of less than six letters (DHL,
//! eBay, Steam), because short names resemble each other by chance. Products that many run on hosts of their own (GitLab,
//! Nextcloud, WordPress) are not here either; GitHub is, with the class for names that others use rightly.
//!
//! ```text
//! assert_eq!(brands().next().unwrap().name(), "microsoft.com");
//! ```

use alloc::string::String;

/// What is reported of a brand, if all signs are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BrandClass {
    /// A coined name with few domains: all signs.
    Coined,
    /// A coined name that its owner has in many countries: all signs but another top-level domain.
    International,
    /// A name that others use rightly, for customers' hosts of the same product or in another trade: only letters that
    /// look like its own, and the whole name before another domain.
    Shared,
}

/// A brand.
#[derive(Debug)]
pub(crate) struct Brand {
    pub(crate) class: BrandClass,
    /// Its domains, the main one first.
    pub(crate) domains: &'static [&'static str],
}

impl Brand {
    /// Returns the main domain.
    pub(crate) fn name(&self) -> &'static str {
        self.domains.first().copied().unwrap_or_default()
    }

    /// Returns the label that people know.
    pub(crate) fn label(&self) -> &'static str {
        self.name().split('.').next().unwrap_or_default()
    }
}

/// Returns all brands.
pub(crate) fn brands() -> impl Iterator<Item = &'static Brand> {
    BRANDS.iter()
}

/// Returns what an ASCII label looks like, as `look` does, without tables of Unicode: for many labels in a row.
pub(crate) fn look_of_ascii(label: &str) -> String {
    let mut look = String::with_capacity(label.len() + 4);
    for c in label.chars() {
        match c {
            '0' => look.push('o'),
            'i' => look.push('l'),
            'm' => look.push_str("rn"),
            '1' | 'l' if look.ends_with('c') => {
                look.pop();
                look.push('d');
            }
            '1' => look.push('l'),
            'v' if look.ends_with('v') => {
                look.pop();
                look.push('w');
            }
            c => look.push(c),
        }
    }
    look
}

const fn coined(domains: &'static [&'static str]) -> Brand {
    Brand { class: BrandClass::Coined, domains }
}

const fn international(domains: &'static [&'static str]) -> Brand {
    Brand { class: BrandClass::International, domains }
}

const fn shared(domains: &'static [&'static str]) -> Brand {
    Brand { class: BrandClass::Shared, domains }
}

#[rustfmt::skip]
static BRANDS: [Brand; 100] = [
    // Software, search, mail and social networks.
    international(&["microsoft.com", "microsoftonline.com", "office.com", "live.com", "windows.net", "azure.com"]),
    international(&["google.com", "googleapis.com", "googleusercontent.com", "gstatic.com", "withgoogle.com", "googlesource.com", "googlecode.com"]),
    coined(&["facebook.com", "facebook.net", "fb.com", "meta.com"]),
    coined(&["instagram.com", "cdninstagram.com"]),
    coined(&["whatsapp.com", "whatsapp.net"]),
    coined(&["linkedin.com", "licdn.com"]),
    coined(&["youtube.com", "youtu.be", "youtube-nocookie.com"]),
    coined(&["tiktok.com", "tiktokv.com", "tiktokcdn.com"]),
    coined(&["snapchat.com"]),
    international(&["pinterest.com"]),
    coined(&["dropbox.com", "dropboxusercontent.com", "dropboxapi.com"]),
    coined(&["docusign.com", "docusign.net"]),
    coined(&["icloud.com"]),
    coined(&["hotmail.com"]),
    shared(&["github.com", "github.io", "github.dev", "githubusercontent.com", "github.blog", "githubassets.com"]),
    coined(&["cloudflare.com", "cloudflare.net", "cloudflareclient.com"]),
    international(&["godaddy.com"]),
    coined(&["namecheap.com"]),
    shared(&["salesforce.com", "force.com"]),
    shared(&["atlassian.com", "atlassian.net"]),
    coined(&["openai.com"]),
    coined(&["chatgpt.com"]),
    coined(&["mailchimp.com"]),
    coined(&["lastpass.com"]),
    coined(&["mcafee.com"]),
    international(&["kaspersky.com"]),
    coined(&["teamviewer.com"]),
    coined(&["anydesk.com"]),
    international(&["yandex.ru", "yandex.com", "yandex.net", "ya.ru"]),
    coined(&["gosuslugi.ru"]),
    international(&["samsung.com"]),
    coined(&["huawei.com"]),
    coined(&["nvidia.com"]),
    shared(&["wechat.com"]),
    coined(&["tencent.com"]),
    // Films, music and games.
    coined(&["netflix.com", "nflxext.com", "nflximg.net"]),
    coined(&["spotify.com", "scdn.co"]),
    coined(&["roblox.com", "rbxcdn.com"]),
    coined(&["playstation.com", "playstation.net"]),
    international(&["nintendo.com", "nintendo.net"]),
    coined(&["epicgames.com"]),
    coined(&["steampowered.com"]),
    coined(&["steamcommunity.com"]),
    // Shops, travel, delivery and telephone companies.
    coined(&["walmart.com"]),
    international(&["costco.com"]),
    international(&["shopify.com", "myshopify.com"]),
    international(&["zalando.com"]),
    coined(&["aliexpress.com"]),
    coined(&["taobao.com"]),
    international(&["rakuten.co.jp", "rakuten.com"]),
    international(&["mercadolibre.com"]),
    international(&["mercadopago.com"]),
    coined(&["mercari.com", "mercari.jp"]),
    international(&["airbnb.com"]),
    international(&["expedia.com"]),
    international(&["tripadvisor.com"]),
    coined(&["ryanair.com"]),
    coined(&["royalmail.com"]),
    coined(&["laposte.fr", "laposte.net"]),
    international(&["vodafone.com"]),
    coined(&["verizon.com", "verizon.net", "verizonwireless.com"]),
    coined(&["comcast.com", "comcast.net"]),
    coined(&["xfinity.com"]),
    international(&["movistar.com"]),
    // Payment.
    international(&["paypal.com", "paypal.me", "paypalobjects.com"]),
    coined(&["mastercard.com"]),
    international(&["americanexpress.com"]),
    coined(&["alipay.com"]),
    shared(&["interac.ca"]),
    coined(&["klarna.com"]),
    coined(&["payoneer.com"]),
    coined(&["westernunion.com"]),
    coined(&["moneygram.com"]),
    // Banks.
    coined(&["wellsfargo.com"]),
    coined(&["bankofamerica.com"]),
    coined(&["jpmorgan.com"]),
    international(&["citibank.com"]),
    coined(&["capitalone.com"]),
    international(&["barclays.com", "barclays.co.uk"]),
    international(&["santander.com", "santander.co.uk"]),
    coined(&["natwest.com"]),
    coined(&["lloydsbank.com"]),
    shared(&["commerzbank.de", "commerzbank.com"]),
    shared(&["postbank.de"]),
    shared(&["bnpparibas.com", "bnpparibas.net"]),
    coined(&["caixabank.es", "caixabank.com"]),
    coined(&["rabobank.nl", "rabobank.com"]),
    coined(&["abnamro.nl", "abnamro.com"]),
    coined(&["swedbank.se", "swedbank.com"]),
    international(&["nordea.com", "nordea.fi"]),
    coined(&["bradesco.com.br", "banco.bradesco"]),
    coined(&["hdfcbank.com"]),
    coined(&["icicibank.com"]),
    coined(&["commbank.com.au"]),
    coined(&["scotiabank.com"]),
    coined(&["sberbank.ru", "sberbank.com"]),
    // Exchanges and wallets.
    coined(&["coinbase.com"]),
    coined(&["binance.com", "binance.us", "binance.org"]),
    coined(&["metamask.io"]),
    coined(&["trustwallet.com"]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::look::look;
    use crate::domain::registered::suffix_labels;

    #[test]
    fn rows_are_as_described() {
        for brand in brands() {
            let (name, label) = (brand.name(), brand.label());
            assert!(label.len() >= 6 && label.bytes().all(|octet| octet.is_ascii_lowercase()), "{name}");
            assert_eq!(name.split('.').count(), suffix_labels(name) + 1, "{name}");
            let same =
                brands().filter(|other| other.label() == label || other.domains.contains(&name)).count();
            assert_eq!(same, 1, "{name} is there twice");
            assert!(
                brand.domains.iter().all(|domain| domain.contains('.') && *domain == domain.to_lowercase())
            );
        }
    }

    #[test]
    fn looks_are_those_of_unicode() {
        for label in brands().map(Brand::label).chain(["clock-vvv", "m0dern1", "cl", "vv", "ccl", "a-b"]) {
            assert_eq!(look_of_ascii(label), look(label), "{label}");
        }
    }
}
