/** What someone meant who misspelt a name. */

/** The candidate that a word was meant to be: the same but for case and separators, or few slips away. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const other = otherWord(word);
  const same = candidates.find((candidate) => alike(word, candidate) || candidate === other);
  if (same !== undefined) return same;
  // `storageClass` of `storageClassName`, `aws` of `aws-nlb`.
  const [longer, another] = candidates.filter((candidate) => isBeginning(word, candidate));
  if (longer !== undefined && another === undefined) return longer;
  const allowed = word.length < 2 ? 0 : word.length < 6 ? 1 : 2;
  const ranked = candidates
    .filter((candidate) => word.length > 3 || !isAnotherLetter(word, candidate))
    .map((candidate) => ({ candidate, slips: slips(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter((one) => one.slips <= allowed)
    .sort((a, b) => a.slips - b.slips);
  return ranked[0]?.candidate;
}

/** What other tools call a thing, or a cloud its own, in our words. */
const otherWords: Readonly<Record<string, string>> = {
  azure: "aks",
  bindport: "serverPort",
  eks: "aws-nlb",
  entrypoint: "command",
  environment: "env",
  gcp: "gke",
  google: "gke",
  hostkeys: "hostPublicKeys",
  hostkeyseed: "seed",
  hpa: "autoscaling",
  keys: "authorizedKeys",
  members: "deployers",
  passwords: "credentials",
  path: "mountPath",
  persistvolume: "persist",
  podannotations: "annotations",
  podlabels: "labels",
  privileged: "root",
  publickeys: "authorizedKeys",
  pullpolicy: "imagePullPolicy",
  pullsecrets: "imagePullSecrets",
  pvc: "claimName",
  revision: "istioRevision",
  rwo: "ReadWriteOnce",
  rwop: "ReadWriteOncePod",
  rwx: "ReadWriteMany",
  secretfiles: "mounts",
  secrets: "secretEnv",
  shm: "sharedMemory",
  shmsize: "sharedMemory",
  sleep: "idle",
  sshkeys: "authorizedKeys",
  sshpublickeys: "authorizedKeys",
  storage: "mounts",
  storages: "mounts",
  sudo: "root",
  timeout: "stopAfterSeconds",
  username: "user",
  users: "credentials",
  vhostport: "connectPort",
  volumemounts: "mounts",
};

export const otherWord = (word: string): string | undefined =>
  Object.hasOwn(otherWords, bare(word)) ? otherWords[bare(word)] : undefined;

/** Whether both are the same word, but for case and separators. */
export const alike = (one: string, other: string): boolean => bare(one) === bare(other);

const bare = (text: string) => text.toLowerCase().replace(/[-_\s]/g, "");

/** Whether a candidate begins with the word, and goes on with another. */
export const isBeginning = (word: string, candidate: string) =>
  word.length > 2 && candidate.startsWith(word) && /^[-_A-Z]/.test(candidate.slice(word.length));

/** Whether one letter is another, which of a short word makes another word: `cpu` is no slip of `gpu`. */
const isAnotherLetter = (word: string, candidate: string) =>
  word.length === candidate.length && [...word].sort().join() !== [...candidate].sort().join();

/** Letters added, left out, changed or swapped with their neighbour (optimal string alignment). */
function slips(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const before = (back: number, left: number) => rows[i - back]?.[j - left] ?? 0;
      const same = a[i - 1] === b[j - 1];
      let least = Math.min((row[j - 1] ?? 0) + 1, before(1, 0) + 1, before(1, 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, before(2, 2) + 1);
      }
      row.push(least);
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}
