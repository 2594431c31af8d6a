//! The scheme names of the registry of the Internet Assigned Numbers Authority, as data: takes a
//! name, returns its status, or the registered name that it may be a typing error for. RFC 7595
//! defines the statuses; the names are those of the registry "Uniform Resource Identifier (URI)
//! Schemes" of 11 September 2026. Statuses are from copies of 2022 to 2024. Later registrations are
//! treated as provisional, as nearly all are. "shttp" is permanent though obsolete.

use crate::scheme::ALL;
use crate::similar::edit_distance;

crate::as_text::named! {
    /// The status of a name in IANA's registry.
    ///
    /// [`status`] returns it. A name that is not registered is not wrong: private schemes are common.
    ///
    /// ```
    /// use locator::scheme::{IanaStatus, status};
    ///
    /// assert_eq!(status("https").map(IanaStatus::name), Some("permanent"));
    /// assert_eq!(status("my-app"), None);
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum IanaStatus {
        /// A registration whose definition was reviewed (RFC 7595, 3).
        Permanent = "permanent",
        /// A registration that was accepted first come, first served (RFC 7595, 4).
        Provisional = "provisional",
        /// A registration that is no longer in use (RFC 7595, 5).
        Historical = "historical",
    }

    /// Returns the name of this status.
    pub const fn name;
}

/// Returns the status of a name in the registry; `None` if it is not registered.
///
/// ```
/// use locator::scheme::{IanaStatus, status};
///
/// assert_eq!(status("HTTP"), Some(IanaStatus::Permanent));
/// assert_eq!(status("wais"), Some(IanaStatus::Historical));
/// assert_eq!(status("htp"), None);
/// ```
#[must_use]
pub fn status(name: &str) -> Option<IanaStatus> {
    let lists = [
        (PERMANENT, IanaStatus::Permanent),
        (PROVISIONAL, IanaStatus::Provisional),
        (HISTORICAL, IanaStatus::Historical),
    ];
    let holds = |list: &str| list.split(' ').any(|known| known.eq_ignore_ascii_case(name));
    lists.into_iter().find(|(list, _)| holds(list)).map(|(_, status)| status)
}

/// Returns whether URLs of a scheme contain a URL of another one, as it is: `jdbc:mysql://h/db`,
/// `view-source:https://h/`, `jar:file:/a.jar!/b`.
#[cfg(feature = "text")]
pub(crate) fn wraps_urls(name: &[u8]) -> bool {
    const NAMES: [&str; 20] = [
        "jdbc",
        "r2dbc",
        "view-source",
        "jar",
        "nested",
        "zip",
        "tar",
        "tgz",
        "blob",
        "filesystem",
        "feed",
        "scm",
        "git",
        "hg",
        "svn",
        "s3",
        "microsoft-edge",
        "googlechrome",
        "wsjar",
        "bundle",
    ];
    NAMES.iter().any(|one| name.eq_ignore_ascii_case(one.as_bytes()))
        || name.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"web+"))
}

/// Returns whether this may be a name of the registry. Most other names are rejected without a
/// search in the lists.
#[cfg(any(feature = "text", test))]
pub(crate) fn may_be_registered(name: &[u8]) -> bool {
    const LENGTHS: [u64; 32] = lengths();
    let Some(first) = name.first().filter(|_| name.len() < 64) else { return false };
    (LENGTHS[usize::from(first & 0x1F)] >> name.len()) & 1 == 1
}

/// Returns, for the last five bits of each first letter, the lengths of the names that begin with
/// it.
#[cfg(any(feature = "text", test))]
const fn lengths() -> [u64; 32] {
    let (lists, mut lengths) = ([PERMANENT, PROVISIONAL, HISTORICAL], [0; 32]);
    let mut list = 0;
    while list < lists.len() {
        let names = lists[list].as_bytes();
        let (mut start, mut at) = (0, 0);
        while at <= names.len() {
            if at == names.len() || names[at] == b' ' {
                lengths[(names[start] & 0x1F) as usize] |= 1 << (at - start);
                start = at + 1;
            }
            at += 1;
        }
        list += 1;
    }
    lengths
}

/// Returns the scheme name that this one may be a typing error for: one character is added, missing
/// or different, or two are exchanged. `None` if the name itself is known, or no name is similar.
///
/// ```
/// use locator::scheme::suggest;
///
/// assert_eq!(suggest("htp"), Some("http"));
/// assert_eq!(suggest("gohper"), Some("gopher"));
/// assert_eq!(suggest("http"), None);
/// assert_eq!(suggest("x-mine"), None);
/// ```
#[must_use]
pub fn suggest(name: &str) -> Option<&'static str> {
    if crate::scheme::lookup(name).is_some() || status(name).is_some() {
        return None;
    }
    // Each short name is near to many others.
    let name = Some(name.to_ascii_lowercase()).filter(|name| name.len() > 2)?;
    let known = ALL.iter().flat_map(|scheme| scheme.names()).copied().chain(PERMANENT.split(' '));
    known.filter(|known| known.len() > 2).find(|known| edit_distance(&name, known, 1).is_some())
}

const PERMANENT: &str = "aaa aaas about acap acct cap cid coap coap+tcp coap+ws coaps coaps+tcp coaps+ws crid data dav dict \
    dns doi dtn example file ftp geo go gopher h323 http https iax icap im imap info ipn ipp ipps iris \
    iris.beep iris.lwz iris.xpc iris.xpcs jabber ldap leaptofrogans mailto mid msrp msrps mt mtqp mupdate \
    news nfs ni nih nntp opaquelocktoken pkcs11 pop pres reload rtsp rtsps rtspu service session shttp \
    sieve sip sips sms snmp soap.beep soap.beeps stun stuns tag tel telnet tftp thismessage tip tn3270 \
    turn turns tv urn vemmi vnc ws wss xcon xcon-userid xmlrpc.beep xmlrpc.beeps xmpp z39.50r z39.50s";

const PROVISIONAL: &str = "acd acr adiumxtra adt aet afp afs agtp aim amss android appdata apt ar ari ark ars at attachment aw \
    barion beshare bitcoin bitcoincash bl blob bluetooth bolo brid browserext cabal caip calculator \
    callto cast casts chrome chrome-extension cm com-eventbrite-attendee content content-type cstr cttps \
    cvs dab dat dhttp diaspora did dilithium3 dis dlna-playcontainer dlna-playsingle dnp dntp donau dpp \
    drm dtmi dvb dvx dweb ed2k eid elsi embedded ens esim ethereum ez facetime feed feedready fido finger \
    first-run-pen-experience fish fm fuchsia-pkg gcx gdsi gg git gitoid gizmoproject graph gtalk ham hcap \
    hcp hs20 hxxp hxxps hydrazone hyper i0 ibi ibi- icon ilstring interaction iotdisco ipfs ipns irc irc6 \
    ircs isostore itms jar jms keyparc lastfm lbry ldaps lid linkid lorawan lpa lvlt \
    machineprovisioningprogressreporter magnet maps market matrix mdoc mdoc-openid4vp message \
    microsoft.windows.camera microsoft.windows.camera.multipicker microsoft.windows.camera.picker mms \
    mongodb moz mqtt mqtts ms-access ms-appinstaller ms-browser-extension ms-calculator ms-drive-to \
    ms-enrollment ms-excel ms-eyecontrolspeech ms-gamebarservices ms-gamingoverlay ms-getoffice ms-help \
    ms-infopath ms-inputapp ms-launchremotedesktop ms-lockscreencomponent-config ms-media-stream-id \
    ms-meetnow ms-mixedrealitycapture ms-mobileplans ms-newsandinterests ms-officeapp ms-people \
    ms-personacard ms-powerpoint ms-project ms-publisher ms-recall ms-remotedesktop \
    ms-remotedesktop-launch ms-restoretabcompanion ms-screenclip ms-screensketch ms-search \
    ms-search-repair ms-secondary-screen-controller ms-secondary-screen-setup ms-settings \
    ms-settings-airplanemode ms-settings-bluetooth ms-settings-camera ms-settings-cellular \
    ms-settings-cloudstorage ms-settings-connectabledevices ms-settings-displays-topology \
    ms-settings-emailandaccounts ms-settings-language ms-settings-location ms-settings-lock \
    ms-settings-nfctransactions ms-settings-notifications ms-settings-power ms-settings-privacy \
    ms-settings-proximity ms-settings-screenrotation ms-settings-wifi ms-settings-workplace ms-spd \
    ms-stickers ms-sttoverlay ms-transit-to ms-useractivityset ms-uup ms-virtualtouchpad ms-visio \
    ms-walk-to ms-whiteboard ms-whiteboard-cmd ms-widgetboard ms-widgets ms-word msnim mss mtrust mumble \
    musik mvn mvrp mvrps nostr notes npamp num ocf oid onenote onenote-cmd openid openpgp4fpr otpauth \
    palm paparazzi payto pkg platform proxy psyc pttp pwid qb query quic-transport redis rediss res \
    resource rmi rsync rtmfp rtmp sarif secondlife secret-token sftp sgn shc shelter simpleledger simplex \
    skype smb smp smtp soldat spacify spiffe spotify ssb ssh sss starknet steam submit svn swh swid \
    swidpath taler teamspeak teapot teapots teliaeid things tool tttps udp unreal upn ust ut2004 uuaid \
    uuid-in-package v-event ventrilo ves view-source vscode vscode-insiders vsls w3 wasm wasm-js wcr \
    web+ap web+interaction web3 webcal wifi wtai wyciwyg xcompute xfire xftp xrcp xri ymsgr ztdnaid";

const HISTORICAL: &str = "bb drop fax filesystem grd mailserver modem p1 pack payment prospero snews thzp upt videotex wais \
    wpid z39.50";

/// The names that replace those of schemes in defanged URLs, in lower case.
#[cfg(feature = "text")]
const DEFANGED: [(&str, &str); 24] = [
    ("hxxp", "http"),
    ("hxxps", "https"),
    ("htxp", "http"),
    ("htxps", "https"),
    ("hxtp", "http"),
    ("hxtps", "https"),
    ("hzzp", "http"),
    ("hzzps", "https"),
    ("h**p", "http"),
    ("h**ps", "https"),
    ("h__p", "http"),
    ("h__ps", "https"),
    ("h--p", "http"),
    ("h--ps", "https"),
    ("h##p", "http"),
    ("h##ps", "https"),
    ("hxxx", "http"),
    ("hxxxs", "https"),
    ("meow", "http"),
    ("meows", "https"),
    ("fxp", "ftp"),
    ("fxps", "ftps"),
    ("f*p", "ftp"),
    ("fxtp", "ftp"),
];

/// Returns the name by which a scheme is usually defanged: "hxxp" for "http".
#[cfg(feature = "text")]
pub(crate) fn defanged(name: &str) -> Option<&'static str> {
    const USUAL: [&str; 4] = ["hxxp", "hxxps", "fxp", "fxps"];
    let usual = DEFANGED.iter().filter(|(defanged, _)| USUAL.contains(defanged));
    usual.copied().find(|(_, meant)| *meant == name).map(|(defanged, _)| defanged)
}

/// Returns the scheme that a name in lower case stands for in a defanged URL.
#[cfg(feature = "text")]
pub(crate) fn refanged(name: &str) -> Option<&'static str> {
    DEFANGED.iter().find(|(defanged, _)| *defanged == name).map(|(_, meant)| *meant)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn the_lists_are_in_order_and_in_lower_case() {
        for list in [PERMANENT, PROVISIONAL, HISTORICAL] {
            let names: Vec<_> = list.split(' ').collect();
            assert!(names.is_sorted_by(|a, b| a < b));
            assert!(
                names.iter().all(|name| !name.is_empty() && !name.contains(|c: char| c.is_ascii_uppercase()))
            );
            assert!(names.iter().all(|name| may_be_registered(name.to_ascii_uppercase().as_bytes())));
        }
        assert!(!may_be_registered(b"x") && !may_be_registered(b""));
    }
}
