//! What a key says of its value.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::bytes;

/// How much a key says of its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub(crate) enum Says {
    /// Its value is secret if it looks random and is long.
    Vendor,
    /// Its value is secret if it looks random.
    Token,
    /// Its value is secret if it is not a word or a reference.
    Secret,
    /// Its value is secret.
    Exactly,
    /// Its value is the name of a user.
    User,
    /// Its value is the name of a host.
    Host,
}

/// Names of secret values, without separators, in lower case.
const SECRETS: &[&[u8]] = &[
    b"password",
    b"passwd",
    b"passphrase",
    b"secret",
    b"apikey",
    b"accesskey",
    b"privatekey",
    b"authtoken",
    b"accesstoken",
    b"refreshtoken",
    b"sessiontoken",
    b"bearertoken",
    b"idtoken",
    b"securitytoken",
    b"apitoken",
    b"oauthtoken",
    b"csrftoken",
    b"xsrftoken",
    b"sessionkey",
    b"encryptionkey",
    b"signingkey",
    b"masterkey",
    b"secretkey",
    b"servicekey",
    b"serverkey",
    b"accountkey",
    b"sharedaccesskey",
    b"sharedkey",
    b"licensekey",
    b"authkey",
    b"authorization",
    b"credential",
    b"userpass",
    b"dbpass",
    b"adminpass",
    b"passcode",
    b"storagekey",
    b"appkey",
    b"applicationkey",
    b"consumerkey",
    b"clientkey",
    b"presharedkey",
    b"personalaccesstoken",
    b"deploykey",
    b"webhookkey",
    b"streamkey",
    b"sessioncookie",
    b"setcookie",
    b"subscriptionkey",
    b"integrationkey",
    b"ingestkey",
    b"writekey",
    b"authenticitytoken",
    b"bottoken",
    b"usertoken",
    b"developertoken",
    b"devtoken",
    b"jwtsecret",
    b"connectionstring",
    b"unsealkey",
    b"apisecret",
    b"clientsecret",
    b"passwort",
    b"contrasena",
    b"motdepasse",
    b"provisiondevicekey",
    b"pswd",
    b"iokey",
    b"xsubscriptiontoken",
];

/// Names of secret values, as whole keys.
const WHOLE: &[&[u8]] = &[
    b"cookie",
    b"cookies",
    b"xapikey",
    b"userpwd",
    b"phpsessid",
    b"jsessionid",
    b"proxyauthorization",
];

/// What a key ends with whose value looks random if it is secret.
const TOKENS: &[&[u8]] = &[
    b"token",
    b"key",
    b"auth",
    b"pass",
    b"pwd",
    b"sig",
    b"signature",
    b"jwt",
    b"bearer",
    b"creds",
    b"cred",
    b"login",
    b"salt",
    b"sas",
    b"pat",
    b"tok",
    b"apikeys",
    b"crumb",
];

/// What a key ends with whose value is no secret, though the rest of the key names one.
const HARMLESS_ENDS: &[&[u8]] = &[
    b"tokens",
    b"tokencount",
    b"tokenlimit",
    b"tokentype",
    b"tokenizer",
    b"tokenusage",
    b"tokenbudget",
    b"keyid",
    b"url",
    b"uri",
    b"path",
    b"file",
    b"filename",
    b"name",
    b"type",
    b"count",
    b"length",
    b"len",
    b"size",
    b"limit",
    b"field",
    b"label",
    b"hint",
    b"prefix",
    b"suffix",
    b"host",
    b"port",
    b"domain",
    b"endpoint",
    b"algorithm",
    b"version",
    b"format",
    b"enabled",
    b"required",
    b"policy",
    b"at",
    b"expiry",
    b"expires",
    b"expiration",
    b"ttl",
    b"regex",
    b"pattern",
    b"schema",
    b"title",
    b"description",
    b"message",
    b"error",
    b"status",
    b"class",
    b"selector",
    b"keys",
    b"index",
    b"hash",
    b"digest",
    b"rule",
    b"reset",
    b"manager",
    b"provider",
    b"service",
    b"account",
    b"mode",
    b"env",
    b"variable",
    b"parameter",
    b"credentialsid",
    b"secretsid",
    b"controlallowcredentials",
    b"chars",
    b"size",
    b"scope",
];

/// Keys whose value is no secret, though they end like one.
const HARMLESS: &[&[u8]] = &[
    b"cachekey",
    b"primarykey",
    b"foreignkey",
    b"partitionkey",
    b"sortkey",
    b"routingkey",
    b"objectkey",
    b"publickey",
    b"pubkey",
    b"idempotencykey",
    b"itemkey",
    b"hotkey",
    b"monkey",
    b"keyboard",
    b"keyword",
    b"hashkey",
    b"rowkey",
    b"uniquekey",
    b"groupkey",
    b"reactkey",
    b"datakey",
    b"eventkey",
    b"dedupkey",
    b"dedupekey",
    b"joinkey",
    b"s3key",
    b"imagekey",
    b"filekey",
    b"bucketkey",
    b"i18nkey",
    b"translationkey",
    b"issuekey",
    b"projectkey",
    b"nexttoken",
    b"pagetoken",
    b"continuationtoken",
    b"publictoken",
    b"stoptoken",
    b"eostoken",
    b"bostoken",
    b"padtoken",
    b"unktoken",
    b"masktoken",
    b"septoken",
    b"clstoken",
    b"pertoken",
    b"selectedkey",
    b"publishablekey",
    b"testkey",
    b"thoughtsignature",
    b"reasoningsignature",
    b"sitekey",
    b"nextpagetoken",
    b"synctoken",
    b"cursortoken",
    b"methodsignature",
    b"typesignature",
    b"functionsignature",
    b"keysize",
];

/// Vendors whose name alone makes a random value secret.
const VENDORS: &[u8] = b"adafruit adobe airtable algolia alibaba aliyun amplitude anthropic apify artifactory asana \
assemblyai atlassian auth0 aws azure beamer bitbucket bitly bittrex braintree braze brevo bugsnag cerebras circleci \
civo clearbit clickhouse clickup cloudflare cloudinary cloudsmith codacy codecov cohere coinbase confluence confluent \
contentful coveralls crunchbase cypress databricks datadog deepgram deepseek digitalocean discord disqus docusign \
doppler droneci dropbox ebay elevenlabs eventbrite etsy exoscale facebook fastly figma filestack finicity \
finnhub firebase flickr flutterwave freshbooks freshdesk gemini giphy github gitlab gitter gocardless grafana greptile \
groq gumroad heroku honeycomb hubspot huggingface ibmcloud infura influx instagram intercom ipstack jenkins jfrog \
jira jumpcloud kagi klaviyo kraken kucoin langfuse launchdarkly lichess linkedin looker mailchimp mailgun \
mailjet mapbox mattermost maxmind meraki messagebird minimax mistral mixpanel mongodb moonshot netlify \
newrelic notion nvidia nytimes okta ollama onesignal openai openrouter openweather opsgenie optimizely pagerduty \
paypal perplexity pinecone pinterest plaid planetscale plivo polygon postmark postman prismic pubnub pulumi pusher \
quickbooks rapidapi razorpay recaptcha replicate rollbar salesforce sendbird sendgrid sendinblue sentry \
shippo shodan shopify slack snowflake snyk sonar sourcegraph spotify squarespace stability stripe sumo supabase \
tableau tavily telegram togetherai trello twilio twitch twitter typeform unsplash upstage vercel vonage wakatime \
weatherstack webex wistia workos xai yandex youtube zapier zendesk zoom";

/// The longest key.
pub(crate) const MAX_KEY_BYTES: usize = 64;

/// A key without separators, in lower case.
fn normalised(key: &[u8]) -> Vec<u8> {
    let letters = key.iter().filter(|byte| byte.is_ascii_alphanumeric());
    letters.map(u8::to_ascii_lowercase).collect()
}

/// What a key says of its value.
fn says_alone(key: &[u8]) -> Option<Says> {
    if normalised(key).ends_with(b"hostname") {
        return Some(Says::Host);
    }
    // `spring.datasource.password`: the last part names the value.
    let key = key.rsplit(|byte| *byte == b'.').find(|part| !part.is_empty()).unwrap_or(key);
    let name = normalised(key);
    if name.len() < 3 || HARMLESS.iter().any(|harmless| name.ends_with(harmless)) {
        return None;
    }
    if WHOLE.contains(&name.as_slice()) || SECRETS.contains(&name.as_slice()) {
        return Some(Says::Exactly);
    }
    match name.as_slice() {
        b"loginname" | b"userlogin" | b"osuser" => return Some(Says::User),
        b"computername" | b"machinename" => return Some(Says::Host),
        name if name.ends_with(b"username") => return Some(Says::User),
        b"pass" | b"auth" | b"pwd" => return Some(Says::Secret),
        _ => {}
    }
    let is_id = name.ends_with(b"id") && !name.ends_with(b"secretid");
    if is_id
        || HARMLESS_ENDS.iter().any(|end| name.ends_with(end))
        || WEAK.contains(&name.as_slice())
    {
        return None;
    }
    if SECRETS.iter().any(|secret| contains(&name, secret)) {
        return Some(Says::Secret);
    }
    if TOKENS.iter().any(|token| name.ends_with(token) && is_word_end(key, token.len())) {
        return Some(Says::Token);
    }
    let is_vendors = key
        .split(|byte| !byte.is_ascii_alphanumeric())
        .any(|word| vendors().any(|vendor| bytes::starts_with_ignoring_case(word, vendor)));
    (is_vendors && !is_of_version(&name)).then_some(Says::Vendor)
}

/// Names that say something only together with the word before them: `key`, but `ollama key`.
const WEAK: &[&[u8]] =
    &[b"key", b"sig", b"signature", b"salt", b"login", b"sas", b"pat", b"tok", b"crumb"];

/// Whether a name is of a version or of a place in a repository, whose values look random.
fn is_of_version(name: &[u8]) -> bool {
    const WORDS: [&[u8]; 12] = [
        b"sha",
        b"commit",
        b"version",
        b"model",
        b"image",
        b"revision",
        b"branch",
        b"etag",
        b"release",
        b"trace",
        b"span",
        b"build",
    ];
    WORDS.iter().any(|word| contains(name, word))
}

fn vendors() -> impl Iterator<Item = &'static [u8]> {
    VENDORS.split(|byte| *byte == b' ').filter(|it| !it.is_empty())
}

/// What keys say of their values. Keys repeat, so the answers are kept.
#[derive(Default, Debug)]
pub(crate) struct KeyNames {
    known: FxHashMap<Vec<u8>, Option<Says>>,
}

/// As many answers are kept.
const MAX_KNOWN: usize = 4096;

impl KeyNames {
    /// What a key says of its value. `text` is the text in which the key is.
    pub fn says(&mut self, text: &[u8], key: Range<usize>) -> Option<Says> {
        let name = bytes::of(text, key.clone());
        if let Some(known) = self.known.get(name) {
            return *known;
        }
        if WEAK.iter().any(|weak| name.eq_ignore_ascii_case(weak)) {
            let start = bytes::run_start(text, key.start, MAX_KEY_BYTES, |byte| {
                byte == b' ' || is_key_byte(byte)
            });
            // Not kept, because it depends on what is before the key.
            return says_alone(bytes::of(text, start..key.end));
        }
        let says = says_alone(name);
        if self.known.len() < MAX_KNOWN {
            self.known.insert(name.to_vec(), says);
        }
        says
    }
}

/// A byte of a key that is not in quotes.
pub(crate) fn is_key_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

/// Whether a key is of a password, which may be a word.
pub(crate) fn is_password(key: &[u8]) -> bool {
    let name = normalised(key);
    [b"passw".as_slice(), b"passphrase", b"pwd", b"contrasena"].iter().any(|it| contains(&name, it))
        || name.ends_with(b"pass")
}

/// Whether the last letters of a key are a word: not `monkey`, but `apiKey`, `API_KEY` and `key`.
fn is_word_end(key: &[u8], len: usize) -> bool {
    let start = key.len().saturating_sub(len);
    let first = bytes::at(key, start);
    let before = bytes::before(key, start);
    start == 0
        || !before.is_ascii_alphanumeric()
        || before.is_ascii_digit()
        || (first.is_ascii_uppercase() && before.is_ascii_lowercase())
        || has_vendor_before(key, start)
}

fn has_vendor_before(key: &[u8], end: usize) -> bool {
    let name = normalised(bytes::of(key, 0..end));
    vendors().any(|vendor| name.ends_with(vendor))
}

fn contains(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|window| window == word)
}
