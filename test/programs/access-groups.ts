/** A group of the company's directory gets in over the Kubernetes API, beside those with a key. */
import { DevContainer } from "@drawbridge-iac/drawbridge";
import { base } from "./base.ts";

export default function program() {
  const { access, ...rest } = base();
  new DevContainer("dev1", { ...rest, access: { ...access, sshpod: { groups: ["oidc:ml"] } } });
}
