/** Links that open a container in an editor. They go by the alias, so the ssh_config must be in place. */

export interface IdeLinks {
  readonly vscode: string;
  readonly cursor: string;
  /** For `zed <link>` as well as for a browser. */
  readonly zed: string;
  readonly jetbrainsGateway: string;
}

/**
 * @param alias what one types after `ssh`
 * @param folder absolute path of the folder to open
 */
export function ideLinks(alias: string, folder: string, user: string): IdeLinks {
  const path = folder.split("/").map(encodeURIComponent).join("/");
  const jetbrains = new URLSearchParams({
    type: "ssh",
    host: alias,
    port: "22",
    user,
    projectPath: folder,
    deploy: "true",
  });
  return {
    vscode: `vscode://vscode-remote/ssh-remote+${alias}${path}`,
    cursor: `cursor://vscode-remote/ssh-remote+${alias}${path}`,
    zed: `ssh://${alias}${path}`,
    jetbrainsGateway: `jetbrains-gateway://connect#${jetbrains}`,
  };
}
