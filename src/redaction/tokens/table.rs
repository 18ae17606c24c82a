//! The formats of tokens, as their vendors publish them.
//!
//! Columns: the label of the placeholder, the prefixes, and the parts after the prefix. A part is a class and a count
//! (`w36`: exactly, `v20+`: at least, `h8-10`: between), or a literal. Classes: `d` digits, `h` and `H` hexadecimal
//! digits (lower case, any case), `a` letters, `w` letters and digits (`l` lower case, `u` upper case), `v` those with
//! `_-`, `b` base64, `e` base64 in both alphabets, `t` those of `v` with `.=~`, `p` `w` with `./`, and
//! `x` all that is visible and no quote.

/// The label of a format that many vendors use, and which begins like other names.
pub(super) const AMBIGUOUS: &str = "api-key";

/// Tokens that begin with a literal.
pub(super) const PREFIXED: &str = "\
1password-token|ops_eyJ|b100+
1password-secret-key|A3-|u6 - u6 - u5 - u5 - u5 - u5
1password-secret-key|A3-|u6 - u11 - u5 - u5 - u5
adafruit-key|aio_|w28
adobe-secret|p8e-|v32
age-key|AGE-SECRET-KEY-1|u58
aikido-token|AIK_SECRET_ AIK_CI_ AIK_CLIENT_ AIK_RUNTIME_|w24+
airtable-token|pat|w14 . h64
aiven-password|AVNS_|v15+
alchemy-token|alcht_|w30
alibaba-key|LTAI|w12-24
alibaba-token|STS.|w20+
anthropic-key|sk-ant-|v20+
anyscale-secret|esecret_|w20+
apify-token|apify_api_|w30+
artifactory-key|AKCp|w60+
artifactory-token|cmVmd|w59
asana-token|0/ 1/ 2/|d16 : h32
asana-token|2/|d16 / d16 : h32
atlassian-token|ATATT3 ATCTT3 ATSTT3|e60+
aws-access-key|AKIA ASIA ABIA ACCA AGPA AIDA AROA AIPA ANPA ANVA|u16
aws-access-key|A3T|u17
aws-bedrock-key|ABSK|b100+
aws-bedrock-key|bedrock-api-key-|b28+
aws-mws-key|amzn.mws.|h8 - h4 - h4 - h4 - h12
aws-appsync-key|da2-|l26
azure-maps-key|AzureMaps|w40+
beamer-token|b_|e44
bitbucket-token|ATBB|w32
brave-key|BSA|v23-30
browserbase-key|bb_live_ bb_test_|v20+
buildkite-token|bkua_ bkaa_ bkct_ bkpi_ bkpt_|w32+
canva-secret|cnvca|v40+
cerebras-key|csk-|l40+
cfx-key|cfxk_|w16+
circleci-token|CCIPAT_ CCIPRJ_|w20+ _ h40
clickhouse-key|4b1d|w38
clickup-token|pk_|d5-12 _ u32
clojars-token|CLOJARS_|w60
cloudflare-origin-key|v1.0-|h24 - h140+
cloudflare-token|cfut_ cfat_ cfk_|v40+
cloudsmith-key|csa_ cloudsmith_|w36+
cockroach-key|CCDB1_|w22 _ w40
configcat-key|configcat-sdk-1/ configcat-sdk-2/|v22 / v22
contentful-token|CFPAT-|v43
crates-io-token|cio|w32
cursor-key|key_|h64
cursor-key|crsr_|h64
databricks-token|dapi|h32
databricks-token|dapi|h32 - d1+
databricks-secret|dose|h32
datadog-key|ddapp_ ddpat_ ddapi_|w34+
deno-token|ddp_ ddw_ ddo_|w36
dependency-track-key|odt_|w32+
devcycle-key|dvc_server_ dvc_mobile_ dvc_client_|v24+
devin-key|apk_user_ apk_ cog_|e40+
digitalocean-token|dop_v1_ doo_v1_ dor_v1_|h64
docker-token|dckr_pat_ dckr_oat_|v27+
docker-swarm-token|SWMTKN-1-|l50 - l25
docker-swarm-key|SWMKEY-1-|b43
doppler-token|dp.ct. dp.pt. dp.sa. dp.scim. dp.audit. dp.st.|w40-44
doppler-token|dp.st.|v2-35 . w40-44
dropbox-token|sl.|v130+
dropbox-token|sl.u.|v100+
duffel-token|duffel_test_ duffel_live_|e43
dynatrace-token|dt0a01. dt0c01. dt0s01. dt0s02. dt0s16.|u24 . u64
easypost-key|EZAK EZTK|w54
ebay-secret|PRD- SBX-|h12 - h4 - h4 - h4 - h4
elastic-key|essu_|e40+
elevenlabs-key|sk_|h48
endorlabs-key|endr-|w16+
exoscale-key|EXO|h24
facebook-token|EAA|w80+
figma-token|figd_ figo_ figu_|v40+
firecrawl-key|fc-|h32
fireworks-key|fw_|w22+
flutterwave-key|FLWSECK_TEST- FLWSECK- FLWPUBK_TEST-|w32 -X
flutterwave-key|FLWSECK_TEST|w12
fly-token|fo1_|v43
fly-token|fm1a_ fm1r_ fm2_|b100+
frameio-token|fio-u-|e64
github-token|ghp_ gho_ ghu_ ghs_ ghr_|w36+
github-token|github_pat_|v50+
gitlab-token|glpat- gldt- glft- glsoat- glrt- glffct- glcbt- glimt- glagent- gloas- glwt- glrtr-|t20+
gitlab-token|glptt-|h40
gitlab-token|GR1348941|v20+
gitlab-session|_gitlab_session=|h32
google-api-key|AIza|v35
google-api-key|AQ.Ab8|v40+
google-oauth-secret|GOCSPX-|v24+
google-oauth-token|ya29.|v20+
google-refresh-token|1//0|v40+
grafana-token|glc_|b32+
grafana-token|glsa_|w32 _ H8
grafana-key|eyJrIjoi|b60+
groq-key|gsk_|w48+
gumroad-token|gumroad_|w40+
harness-token|pat. sat.|v22 . w24 . w20
heroku-key|HRKU-|v36+
honeycomb-key|hcaik_ hcbik_ hcalk_ hcblk_|l50+
hubspot-token|pat-na1- pat-na2- pat-na3- pat-eu1- pat-ap1-|H8 - H4 - H4 - H4 - H12
huggingface-token|hf_ api_org_|w34+
infracost-token|ico-|w32
influx-token|apiv3_|v80+
intercom-token|dG9r|b50+
intra42-secret|s-s4t2ud- s-s4t2af-|h64
ionic-token|ion_|w42
jina-key|jina_|w60
jumpcloud-key|jca_|w36+
langfuse-key|sk-lf- pk-lf-|h8 - h4 - h4 - h4 - h12
langsmith-key|lsv2_pt_ lsv2_sk_|h32 _ h10
langsmith-key|ls__|h32
launchdarkly-key|sdk- mob- api-|h8 - h4 - h4 - h4 - h12
lichess-token|lip_ lio_|w16+
linear-key|lin_api_ lin_oauth_|w32+
lob-key|live_ test_|h35
lob-key|live_pub_ test_pub_|h31
mailchimp-key|md-|v22
mailersend-token|mlsn.|h60+
mailgun-key|key- pubkey-|h32
mapbox-token|pk. sk. tk.|v60+ . v20+
mapbox-token|pk.eyJ sk.eyJ tk.eyJ|v20+ . v20+
mercury-token|mercury_production_wma_ mercury_production_rma_ mercury_sandbox_wma_|w30+
mergify-key|mergify_application_key_|w60+
midtrans-key|Mid-server- SB-Mid-server-|v16+
netlify-token|nfp_ nfc_ nfo_ nfu_|w36
neon-key|napi_|l60+
new-relic-key|NRAK- nrak-|w27
new-relic-key|NRII- NRIQ- NRJS- NRAA- NRRA- nrii- nriq- nrra- nraa-|v19+
new-relic-key|px-api- px-dep-|h8 - h4 - h4 - h4 - h12
notion-token|ntn_|d11 w35
notion-token|secret_|w43
npm-token|npm_|w36
nuget-key|oy2|l43
nvidia-key|nvapi-|v60+
octopus-key|API-|u25-32
openai-key|sk-proj- sk-svcacct- sk-admin- sk-None- sk-service-|v20+
openai-session|sess-|w40
openrouter-key|sk-or-v1- sk-or-|h64
openshift-token|sha256~|v43
opsgenie-key|genie-|v30+
paddle-key|pdl_live_apikey_ pdl_sdbx_apikey_|w26 _ w22 _ w3
perplexity-key|pplx-|w40+
persona-key|persona_production_ persona_sandbox_|v36+
pinecone-key|pcsk_|w5-6 _ w60+
pinterest-token|pina_ pinc_ pinr_|w32+
plaid-token|access-sandbox- access-development- access-production- public-sandbox- public-production-|h8 - h4 - h4 - h4 - h12
planetscale-token|pscale_tkn_ pscale_oauth_ pscale_pw_|t32+
polar-token|polar_oat_ polar_pat_ polar_at_u_ polar_rt_u_|v32+
portainer-token|ptr_|b40+
posthog-key|phx_ phc_ phs_ pha_|w36+
postman-key|PMAK-|H24 - H34
prefect-key|pnu_ pnb_|w36
proof-key|prf_|w30+
pulumi-token|pul-|h40
pypi-token|pypi-|v50+
rainforest-key|apikey_|h64
readme-key|rdme_|l60+
redirect-pizza-token|rpa_|w30+
render-key|rnd_|w28
replicate-token|r8_|w37+
resend-key|re_|w8 _ w24
rootly-key|rootly_|h64
rubygems-key|rubygems_|h48
runpod-key|rpa_|w40+
salad-key|salad_cloud_|w30+
scaleway-key|SCW|u17
scalingo-token|tk-us-|v48
segment-token|sgp_|w64
sendgrid-key|SG.|v20-24 . v39-50
sendinblue-key|xkeysib- xsmtpsib-|h64 - w16
sentry-token|sntrys_eyJ|e40+
sentry-token|sntryu_ sntryi_ sntrya_|h64
settlemint-token|sm_aat_ sm_pat_ sm_sat_|w16
shippo-token|shippo_live_ shippo_test_|H40
shopify-token|shpat_ shpca_ shppa_ shpss_ shpua_ shptka_|H32
slack-token|xoxb- xoxp- xoxa- xoxr- xoxo- xoxs- xoxc- xoxd-|e20+
slack-token|xoxe- xoxe.xoxb- xoxe.xoxp-|d1 - w100+
slack-token|xapp- xwfp-|v20+
slack-token|xapp-|d12 - b24
snyk-token|snyk_uat. snyk_sat.|t40+
sonar-token|squ_ sqp_ sqa_|h40
sourcegraph-token|sgp_local_ sgp_|H40
sourcegraph-token|sgp_|H16 _ H40
sourcegraph-token|sgd_ slk_|H64
square-token|sq0atp- sq0csp- sq0idp-|v22+
square-token|EAAA|v56-64
stackhawk-key|hawk.|v20 . v20
stripe-key|sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ pk_live_|w10+
stripe-secret|whsec_|b24+
supabase-token|sbp_|l40+
supabase-token|sb_secret_ sbp_oauth_ sbp_v0_|v30+
tailscale-key|tskey-|v20+
tavily-key|tvly- tvly-dev- tvly-prod-|v30+
telnyx-key|KEY0|w30+ _ w20+
tencent-key|AKID|w32
terraform-token|atlasv1.|e60+
thunderstore-token|tss_|w38
together-key|tgp_v1_|v40+
trello-token|ATTA|h64
trigger-dev-key|tr_dev_ tr_prod_ tr_stg_ tr_preview_ tr_pat_|w20+
twilio-key|SK AC|h32
twitch-token|oauth:|l30
twitch-key|live_|d8-12 _ w30
twitter-token|AAAAAAAAAAAAAAAAAAAA|t60+
typeform-token|tfp_|t59
unkey-key|unkey_|w20+
val-town-token|vtwn_|w26+
vault-token|hvs. hvb. hvr.|v24+
vercel-token|vcp_ vci_ vca_ vcr_ vck_ vcb_|w50+
voyage-key|pa-|v43
wakatime-key|waka_|h8 - h4 - h4 - h4 - h12
wandb-key|wandb_v1_|v70+
weblate-token|wlu_ wlp_|w36
workato-token|wrka- wrkaeu- wrkajp- wrkasg- wrkaau- wrkail- wrkatrial-|t40+
xai-key|xai-|w70+
yandex-key|AQVN|v35-38
yandex-key|YC|v38
yandex-token|t1.|v20+ . v86
yandex-token|y0_ y1_ y2_ y3_|v50+
zuplo-key|zpka_|h32 _ h8
api-key|sk-|v32+
password-hash|$2a$ $2b$ $2x$ $2y$|d2 $ p53
password-hash|$1$|p8 $ p22
password-hash|$5$ $6$ $8$|p8-16 $ p43+
password-hash|$5$rounds= $6$rounds=|d1+ $ p8-16 $ p43+
password-hash|$argon2id$ $argon2i$ $argon2d$|x40+
password-hash|$krb5asrep$23$ $krb5tgs$23$|x80+
slack-webhook|hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/|e36+
teams-webhook|outlook.office.com/webhook/ webhook.office.com/webhookb2/|x60+
discord-webhook|discord.com/api/webhooks/ discordapp.com/api/webhooks/|d16+ / v50+
";

/// Tokens with a literal in their middle: the label, the parts before it, the literal, the parts after it.
pub(super) const INFIXED: &str = "\
azure-client-secret|t4|Q~|t31-40
azure-devops-token|w76|AZDO|w4
terraform-token|w14|.atlasv1.|e60+
mailchimp-key|h32|-us|d1-3
telegram-token|d6-16|:AA|v32-33
telegram-token|d8-10|:A|v34
new-relic-key|l36|nral|
new-relic-key|l36|NRAL|
google-client-id|d6+ - l32|.apps.googleusercontent.com|
maxmind-key|w6 _ w29|_mmk|
salesforce-token|w15|!|t80+
";
