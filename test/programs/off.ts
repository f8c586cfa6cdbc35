/** Switched off over the holidays. */
import { DevContainer } from "@drawbridge-iac/drawbridge";
import { base } from "./base.ts";

export default function program() {
  new DevContainer("dev1", { ...base(), running: false });
}
