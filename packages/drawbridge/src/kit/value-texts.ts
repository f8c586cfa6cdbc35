/** What is said of a single value, by its code. `{{name}}` is a parameter; `{{value}}` is what was given, as JSON. */
export const valueTexts = {
  "unknown-key": 'unknown key "{{key}}"',
  missing: "is missing; give {{wanted}}",
  empty: "is empty; give {{wanted}}, or leave it out",
  "output-too-late":
    "is an Output, whose value is known too late to decide which resources exist; give a plain value",
  "misplaced-resource": "is {{resource}}, which cannot stand here; set {{instead}}",
  "wrong-type": "must be {{wanted}}, not {{value}}",
  "wrong-type-of-secret": "must be {{wanted}}",
  "default-name": "{{fault}}; {{field}} is not set, and its default is {{standIn}}",
  "text-without-quotes": 'must be a string, not {{value}}; put it in quotes: "{{value}}"',
  "secret-without-quotes": "must be a string; put the value in quotes",
  "number-in-quotes": "must be {{wanted}}, not the text {{value}}; remove the quotes",
  "quantity-without-quotes": 'must be text; write it like "500m", "4" or "16Gi", in quotes',
  "size-without-unit": 'has no unit; write it like "20Gi"',
  "size-too-small": '{{value}} is less than 1Mi; write it with its unit, like "20Gi"',
  "image-with-scheme": "{{value}} is a web address; write the image without https://",
  "image-in-capitals":
    "{{value}} has capitals in the image's name, which no registry takes; write it in lower case",
  "namespace-of-cluster": "{{value}} belongs to the cluster itself; give a namespace of your own",
  "not-one-of": "{{value}} is not one of {{allowed}}",
  invalid: "{{message}}",
  "is-empty": "is empty; give at least one, or leave it out",
  "needs-exactly-one": "needs exactly one of {{names}}",
  "not-a-port": "{{value}} is not a port; give a whole number from 1 to 65535",
  "out-of-range":
    "{{value}} is out of range; give a whole number of {{unit}} from {{minimum}} to {{maximum}}",
  "too-short": "is too short; give at least {{least}} characters, for example from: openssl rand -base64 32",
  "not-a-dns-label":
    "{{value}} is not a DNS label; use at most 63 lower-case letters, digits and inner hyphens",
  "not-a-service-name":
    "{{value}} is not usable as a Service name; use at most 63 lower-case letters, digits and inner hyphens, starting with a letter",
  "not-a-container-name":
    "{{value}} is not usable as a container's name; use at most 52 lower-case letters, digits and inner hyphens, starting with a letter",
  "not-a-domain":
    '{{value}} is not a domain name; write it like "dev.example.com", without scheme, port, wildcard or trailing dot',
  "not-a-host": '{{value}} is not a host name or IP address; write it like "ssh.example.com" or "192.0.2.7"',
  "not-a-quantity": '{{value}} is not a quantity; write it like "500m", "4" or "16Gi"',
  "not-a-path":
    '{{value}} is not an absolute path; write it like "/data/models", without "..", spaces or a trailing slash',
  "not-a-network":
    '{{value}} is not a network; write it in CIDR notation like "10.0.0.0/8" or "2001:db8::/32"',
  "denies-every-address": "{{value}} is every address; give internet: false instead",
  "port-of-readiness": "{{value}} is where the proxy answers whether it is ready; give another port",
  "not-an-address":
    '{{value}} is not an IP address; write the address itself, like "10.20.0.5": a name would have to be resolved first',
  "address-of-no-host":
    "{{value}} is in {{network}} ({{what}}), where no host outside of the cluster is; give the host's own address",
  "network-of-no-host":
    "{{value}} has addresses of {{network}} ({{what}}), which the gateway must not reach; give the networks of the hosts themselves",
  "not-a-variable-name": "{{value}} is not an environment variable name (letters, digits, _)",
  "not-a-user-name":
    "{{value}} is not an allowed user name; use up to 32 lower-case letters, digits, _ and -",
  "not-a-pinned-image":
    '{{value}} is not a pinned image; add a tag other than "latest" or a digest, like "ubuntu:24.04" or "…@sha256:…"',
  "not-a-label-value":
    "{{value}} is not a label value; use at most 63 letters, digits, -, _ and ., starting and ending with a letter or digit",
  "not-an-object-name":
    "{{value}} is not an object name; use at most 253 lower-case letters, digits, inner hyphens and dots",
  "not-a-qualified-name":
    '{{value}} is not a qualified name; write it like "nvidia.com/gpu" or "topology.kubernetes.io/zone"',
  "not-a-resource-name":
    '{{value}} is not a resource; write "cpu", "memory", "ephemeral-storage" or a name with its domain, like "nvidia.com/gpu"',
  "not-a-data-key": "{{value}} is not a key of a ConfigMap or Secret; use letters, digits, ., - and _",
  "not-a-sha256":
    "is not a SHA-256 hash; give 64 lower-case hexadecimal digits, from: printf %s TOKEN | sha256sum",
  "not-a-ca-bundle": "is not a CA bundle; give one or more PEM certificates, -----BEGIN CERTIFICATE----- …",
  "not-a-claim-name": "{{value}} is not the name of a claim; use letters, digits and _ : . / -",
  "no-claim-value": "is empty, so every token would be refused; give at least one value",
  "no-issuer": 'is empty; give the "iss" of the tokens',
  "password-too-short":
    "is too short; give at least {{least}} characters, for example from: openssl rand -hex 16",
  "no-account-name": "is empty; give the name of a user or group of the cluster",
  "no-platform-name": "is empty; give the name of the platform's stack",
  "private-key": "is a private key; give the public one, the line in the file that ends in .pub",
  "no-key-line": "is empty or a comment; give one public key a line",
  "line-break-in-key": "has a line break; give one public key an entry",
  "not-a-key-line": "does not start with a key type; allowed: {{types}}",
  "key-from-refused":
    "has the option from, which sshd would compare with the gateway's address; restrict addresses by sourceRanges of the gateway's loadBalancer",
  "key-option-refused": "has options that are not allowed here: {{options}}",
  "key-not-base64": "has a key that is not base64; copy the whole line of the .pub file",
  "key-cut-off":
    "has a key that is cut off or of another type than it says; copy the whole line of the .pub file",
  "ed25519-length": "has an ed25519 key of the wrong length",
  "rsa-too-short": "has an RSA key of {{bits}} bits; use ed25519, or RSA with at least 2048 bits",
  "not-a-public-key": "is not a public key; write it like ssh-ed25519 AAAA…",
  "not-a-login-name": "is not a user name; use letters, digits, _, . and -, at most 32",
  "not-an-http-address": "is not an http address",
  "not-a-cert-manager-release":
    '{{value}} is not a release of cert-manager; write it like "v1.20.3", with the v',
  "not-a-chart-repository":
    'is not a chart repository; write it like "https://charts.jetstack.io", without credentials',
  "ip-family-twice": "{{value}} names a family twice; name each once",
  "not-a-proxy-address":
    'is not a proxy address; write it like "http://proxy.example.com:3128", without credentials',
  "not-a-time-of-day": '{{value}} is not a time of day; write it like "08:30"',
  "not-a-time-zone":
    '{{value}} is not a time zone; give its name in the IANA data base, like "Europe/Berlin"',
  "not-a-port-name":
    "is not a port name; use at most 15 lower-case letters, digits and inner hyphens, with a letter",
  "line-break-in-variable":
    "has a line break, which cannot be passed into an SSH session; mount it as a file instead",
  "not-a-principal": "is not a principal; use at most 64 letters, digits and . _ @ + -",
  "too-many-times": "has more than 100 times; write several days into one",
  "not-a-utc-time": '{{value}} is not a time in UTC; write it like "2026-11-24T09:30:00Z"',
  "not-an-identity": 'is not an identity; write it like "team-a/dev1"',
  "not-a-script":
    'must begin with the line of its interpreter, like "#!/bin/sh", and have at most 65536 characters',
  "frp-too-old": "{{value}} is too old; use frp {{least}} or later",
  "not-printable": "has a line break or a character outside ASCII; give one line of printable characters",
  "not-a-proxy-image":
    '{{value}} is neither "auto" nor a pinned image; add a tag other than "latest" or a digest',
  "not-a-client-identity":
    '{{value}} is not a client identity; write the certificate\'s URI name like "spiffe://example.com/user/alice"',
  "not-a-certificate": "holds no certificate; give the CA as PEM text (-----BEGIN CERTIFICATE-----)",
  "not-a-certificate-name":
    '{{value}} is not a name for a certificate; write it like "ssh.example.com" or "*.example.com"',
  "not-a-prometheus-address":
    'is not an address of a Prometheus; write it like "http://prometheus.monitoring.svc:9090", without credentials',
  "not-a-name-in-people":
    "is not a name for {{what}}; use at most 63 lower-case letters, digits, inner dots, hyphens and underscores",
  "revision-too-long": "is too long; use at most 12 characters",
  "not-a-key-set": 'is not a JSON Web Key Set; give its text, {"keys": […]}',
  "not-a-storage-user":
    '{{value}} is not usable as a user\'s name; use up to 64 letters, digits, ".", "_" and "-"',
  "not-a-dufs-password":
    'has characters that dufs does not accept; use printable ASCII without spaces, without "@/" and not beginning with "$6$"',
  "not-a-storage-name":
    "{{value}} is not usable as a storage's name; use at most {{most}} lower-case letters, digits and inner hyphens, starting with a letter",
} as const;
