/// The program of the file page: it runs in visitors' browsers. What a storage answers is data to it and nothing more: names
/// become text nodes and encoded path segments, never markup.
"use strict";
const here = location.origin + location.pathname;
const [, , namespace, storage, ...folders] = location.pathname.split("/");
const root = location.origin + "/storage/" + namespace + "/" + storage + "/";
const word = new URLSearchParams(location.search).get("q");
const find = (id) => document.getElementById(id);
const say = (text) => { find("said").textContent = text; };

// Neither "." nor ".." nor an empty part: an entry is always below the folder that is shown.
const plain = (name) => name.split("/").every((part) => part !== "" && part !== "." && part !== "..");
const below = (name) => here + name.split("/").map(encodeURIComponent).join("/");

function element(kind, text, set = {}) {
  const made = document.createElement(kind);
  made.textContent = text;
  return Object.assign(made, set);
}

async function ask(url, options = {}) {
  const answer = await fetch(url, { redirect: "error", ...options });
  if (!answer.ok) throw new Error(answer.status + " " + (await answer.text()).slice(0, 200));
  return answer;
}

/** Runs what changes something, then shows the folder anew. */
async function change(what, url, options) {
  try {
    await ask(url, options);
    await show();
  } catch (error) {
    say(what + ": " + error.message);
  }
}

function button(title, act) {
  const made = element("button", title, { type: "button" });
  made.addEventListener("click", act);
  return made;
}

function remove(name) {
  if (confirm("Delete " + name + "?")) change("Delete", below(name), { method: "DELETE" });
}

function move(name) {
  const to = prompt("New name, from this folder on", name);
  if (!to || to === name) return;
  if (!plain(to)) return say("Rename: " + to + " is no name below this folder");
  change("Rename", below(name), { method: "MOVE", headers: { Destination: below(to), Overwrite: "F" } });
}

function size(bytes) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  for (; bytes >= 1024 && unit < 4; unit += 1) bytes /= 1024;
  return (unit === 0 ? bytes : bytes.toFixed(1)) + " " + units[unit];
}

function row(entry, rights) {
  const folder = entry.path_type.endsWith("Dir");
  const url = below(entry.name) + (folder ? "/" : "");
  const made = document.createElement("tr");
  const name = document.createElement("td");
  name.className = "name";
  name.append(element("a", entry.name + (folder ? "/" : ""), { href: url }));
  const acts = document.createElement("td");
  acts.className = "acts";
  if (!folder) acts.append(element("a", "Download", { href: url, download: "" }));
  else if (rights.allow_archive) acts.append(element("a", "Download", { href: url + "?zip", download: "" }));
  if (rights.allow_upload && rights.allow_delete) acts.append(button("Rename", () => move(entry.name)));
  if (rights.allow_delete) acts.append(button("Delete", () => remove(entry.name)));
  const changed = new Date(entry.mtime);
  made.append(
    name,
    element("td", folder ? entry.size + " items" : size(entry.size)),
    element("td", Number.isNaN(changed.getTime()) ? "" : changed.toLocaleString()),
    acts,
  );
  return made;
}

async function show() {
  try {
    const query = word ? "?json&q=" + encodeURIComponent(word) : "?json";
    const data = await (await ask(here + query)).json();
    const entries = data.paths.filter((entry) => plain(entry.name));
    find("list").replaceChildren(...entries.map((entry) => row(entry, data)));
    find("who").textContent = data.user || "";
    find("searching").hidden = !data.allow_search;
    find("archive").hidden = !data.allow_archive;
    find("adding").hidden = !data.allow_upload;
    say(entries.length > 0 ? "" : word ? "Nothing found." : data.dir_exists ? "Empty folder." : "No such folder yet.");
  } catch (error) {
    say("List: " + error.message);
  }
}

function send(file, line) {
  return new Promise((done) => {
    const request = new XMLHttpRequest();
    const tell = (text) => { line.textContent = file.name + ": " + text; };
    request.upload.addEventListener("progress", (sent) => tell(Math.floor((100 * sent.loaded) / (sent.total || 1)) + " %"));
    request.addEventListener("loadend", () => {
      tell(request.status >= 200 && request.status < 300 ? "uploaded" : "failed, " + (request.status || "connection lost"));
      done();
    });
    request.open("PUT", below(file.name));
    request.send(file);
  });
}

async function upload(files) {
  const lines = files.map((file) => element("li", file.name + ": waits"));
  find("uploads").replaceChildren(...lines);
  for (const [index, file] of files.entries()) await send(file, lines[index]);
  await show();
}

function way() {
  const parts = folders.filter((part) => part !== "");
  const links = [element("a", namespace + "/" + storage, { href: root })];
  parts.forEach((part, index) => {
    const href = root + parts.slice(0, index + 1).join("/") + "/";
    links.push(element("a", decodeURIComponent(part), { href }));
  });
  find("way").append(...links.flatMap((link, index) => (index === 0 ? [link] : [" / ", link])));
  document.title = decodeURIComponent(parts.at(-1) || storage) + " - files";
}

find("archive").href = here + "?zip";
find("word").value = word || "";
find("searching").addEventListener("submit", (event) => {
  event.preventDefault();
  const wanted = find("word").value;
  location.href = here + (wanted ? "?q=" + encodeURIComponent(wanted) : "");
});
find("files").addEventListener("change", (event) => upload([...event.target.files]));
find("folder").addEventListener("click", () => {
  const name = prompt("Name of the new folder");
  if (!name) return;
  if (!plain(name)) return say("New folder: " + name + " is no name below this folder");
  change("New folder", below(name), { method: "MKCOL" });
});
way();
show();
