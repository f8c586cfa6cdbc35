#!/bin/sh
# ci/backend.sh: prints the variables by which Pulumi finds and reads the state. Where a cloud knows the token that says
# which repository and environment this job is of (OIDC), no key is stored: how PULUMI_BACKEND_URL begins says whose cloud
# it is. Without the variables of such a cloud the address alone is printed.
set -eu
stop() {
  echo "backend.sh: $1" >&2
  exit 2
}

for name in PULUMI_BACKEND_URL AWS_REGION AZURE_STORAGE_ACCOUNT; do
  eval "value=\${$name:-}"
  if [ -n "$value" ]; then echo "$name=$value"; fi
done

audience=
case ${PULUMI_BACKEND_URL:-} in
  s3://*) audience=${AWS_ROLE_ARN:+sts.amazonaws.com} ;;
  gs://*) audience=${GCP_PROVIDER:+https://iam.googleapis.com/$GCP_PROVIDER} ;;
  azblob://*) audience=${AZURE_CLIENT_ID:+api://AzureADTokenExchange} ;;
  "") audience=${PULUMI_ORGANIZATION:+urn:pulumi:org:$PULUMI_ORGANIZATION} ;;
esac
if [ -z "$audience" ]; then exit 0; fi

umask 077
folder=${RUNNER_TEMP:-$(mktemp -d)}
token=$folder/token
# GitLab gives the token itself (id_tokens), GitHub says where to ask for it.
if [ -n "${BACKEND_TOKEN:-}" ]; then
  printf '%s' "$BACKEND_TOKEN" >"$token"
else
  [ -n "${ACTIONS_ID_TOKEN_REQUEST_URL:-}" ] || stop "this job gets no token; give it the permission id-token: write"
  # By standard input: every process of the machine can read a command.
  printf 'Authorization: bearer %s\n' "$ACTIONS_ID_TOKEN_REQUEST_TOKEN" |
    curl --fail --silent --show-error --retry 3 --get --data-urlencode "audience=$audience" \
      --header @- "$ACTIONS_ID_TOKEN_REQUEST_URL" |
    node -e 'process.stdout.write(JSON.parse(require("node:fs").readFileSync(0, "utf8")).value)' >"$token"
fi

case ${PULUMI_BACKEND_URL:-} in
  s3://*)
    echo "AWS_ROLE_ARN=$AWS_ROLE_ARN"
    echo "AWS_WEB_IDENTITY_TOKEN_FILE=$token"
    ;;
  gs://*)
    cat >"$folder/google.json" <<END
{
  "type": "external_account",
  "audience": "//iam.googleapis.com/$GCP_PROVIDER",
  "subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
  "token_url": "https://sts.googleapis.com/v1/token",
  "credential_source": { "file": "$token" }
}
END
    echo "GOOGLE_APPLICATION_CREDENTIALS=$folder/google.json"
    ;;
  azblob://*)
    echo "AZURE_CLIENT_ID=$AZURE_CLIENT_ID"
    echo "AZURE_TENANT_ID=$AZURE_TENANT_ID"
    echo "AZURE_FEDERATED_TOKEN_FILE=$token"
    ;;
  *) pulumi login --oidc-token "file://$token" --oidc-org "$PULUMI_ORGANIZATION" >&2 ;;
esac
