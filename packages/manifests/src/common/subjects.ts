import { z } from "zod";
import { arg, group } from "./arg.ts";
import { code } from "./fault.ts";
import { placedList } from "./schema.ts";

const accountName = z.string().min(1, code("no-account-name"));

export const subjectsFields = {
  users: arg(placedList(accountName).default([]), "Names of users.", { effect: ["opens"] }),
  groups: arg(placedList(accountName).default([]), "Names of groups.", { effect: ["opens", "closes"] }),
};

export const subjectsSchema = group(
  "SubjectsArgs",
  "People as the cluster's authentication names them.",
  subjectsFields,
);

export type Subjects = z.output<typeof subjectsSchema>;
