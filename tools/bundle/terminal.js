// What the page takes of xterm.js.
export { FitAddon } from "@xterm/addon-fit";
export { Terminal } from "browser/public/Terminal";
