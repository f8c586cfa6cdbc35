/** A stack is the platform, or a team, by what its file `Pulumi.<stack>.yaml` holds. */
import { program } from "@drawbridge-iac/drawbridge/stacks";

export default () => program();
