/** Pulumi's way in (`Pulumi.yaml`): as thin as can be over the function that tests run inline. */
import { program } from "@drawbridge-iac/drawbridge/stacks";

export default () => program();
