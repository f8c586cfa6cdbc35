/** Each mistake in each field of a stack file; the unit tests make a ninth of them. */
import { eachField } from "../../stacks/config/mistakes.fixture.ts";

eachField(1);
