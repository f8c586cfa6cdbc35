/** sshd_config: the settings that decide who may log in. Only keys may. */
import { at } from "../finding.ts";
import type { Inputs, ObjectPair } from "../objects.ts";
import { crosses, type Effect, unknown } from "./effect.ts";

/** Required settings. Any other value, or none, would let in people without a declared key. */
const demanded: Readonly<Record<string, RegExp>> = {
  passwordauthentication: /^no$/,
  kbdinteractiveauthentication: /^no$/,
  permitrootlogin: /^no$/,
  authenticationmethods: /^publickey$/,
  authorizedkeysfile: /^\/etc\/drawbridge\/authorized-keys\/authorized_keys$/,
  trustedusercakeys: /^\/etc\/drawbridge\/authorized-keys\/user_ca_keys$/,
  authorizedprincipalsfile: /^\/etc\/drawbridge\/authorized-keys\/principals$/,
  usepam: /^no$/,
  permituserenvironment: /^no$/,
  gatewayports: /^no$/,
  permittunnel: /^no$/,
  include: /^\/run\/drawbridge\/[a-z0-9._-]+$/,
};
/** Settings that may be missing: their defaults are safe, or they come with another setting. */
const optional = new Set(["trustedusercakeys", "authorizedprincipalsfile", "include"]);

/** Settings that do not decide who may log in. */
const neutral = new Set(
  (
    "port hostkey pidfile allowusers allowgroups denyusers denygroups strictmodes allowagentforwarding allowtcpforwarding " +
    "allowstreamlocalforwarding streamlocalbindunlink x11forwarding printmotd acceptenv maxsessions maxstartups logingracetime " +
    "clientaliveinterval clientalivecountmax loglevel subsystem exposeauthinfo maxauthtries setenv banner versionaddendum " +
    "persourcemaxstartups persourcenetblocksize persourcepenalties persourcepenaltyexemptlist usedns tcpkeepalive listenaddress " +
    "addressfamily ciphers macs kexalgorithms hostkeyalgorithms pubkeyacceptedalgorithms casignaturealgorithms rekeylimit " +
    "compression ipqos syslogfacility logverbose printlastlog permitopen permitlisten permittty permituserrc disableforwarding " +
    "requiredrsasize channeltimeout unusedconnectiontimeout hostcertificate revokedkeys pubkeyauthentication pubkeyauthoptions refuseconnection"
  ).split(" "),
);

export function sshdEffects({ before, after }: ObjectPair): Effect[] {
  if (after === undefined || at(after, "data", "sshd_config") === undefined) return [];
  const was = faults(before);
  return faults(after).filter(({ text }) => !was.some((one) => one.text === text));
}

type Fault = Exclude<Effect, { readonly effect: "gains" | "loses" }>;

function faults(inputs: Inputs | undefined): Fault[] {
  const text = at(inputs, "data", "sshd_config");
  if (typeof text !== "string") return [];
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => /^(\S+?)[\s=]+(.*)$/.exec(line) ?? [line, line, ""])
    .map(([, name = "", value = ""]) => ({ name: name.toLowerCase(), value: value.trim() }));
  const missing = Object.keys(demanded)
    .filter((name) => !optional.has(name) && !lines.some((line) => line.name === name))
    .map((name) => crosses("login-weakened", `sshd_config no longer says ${name}`) as Fault);
  return [
    ...missing,
    ...lines.flatMap(({ name, value }): Fault[] => {
      const rule = demanded[name];
      if (rule !== undefined)
        return rule.test(value)
          ? []
          : [crosses("login-weakened", `sshd_config says ${name} ${value}`) as Fault];
      return neutral.has(name)
        ? []
        : [
            unknown(
              "unknown-field",
              `sshd_config says ${name} ${value}, which this version does not know`,
            ) as Fault,
          ];
    }),
  ];
}
