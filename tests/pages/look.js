// Opens reports in headless Chromium and judges them.
//
//   node look.js CHROMIUM CASES.json [FOLDER]
//
// CASES.json is a list of {page, numbers, kinds}: an HTML file; what it must state (id or cell -> number), from --json;
// the pictures it must have. Checked: nothing is loaded and nothing fails, axe-core finds no violation, light and dark,
// wide and narrow; nothing is wider than a phone; tables sort; pictures answer to the keyboard; no name becomes markup.
// With FOLDER screenshots are kept there.
"use strict";
const fs = require("fs");
const path = require("path");
const { pathToFileURL } = require("url");
const puppeteer = require("puppeteer-core");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const [chromium, list, folder] = process.argv.slice(2);
let checks = 0;
const wrong = [];
function check(holds, text) {
  checks++;
  if (!holds) wrong.push(text);
}

async function judge(page, name) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  for (const violation of found.violations)
    check(false, `${name}: ${violation.id}: ${violation.help}: ${violation.nodes[0].html.slice(0, 200)}`);
  check(found.passes.length > 10, `${name}: axe looked at nothing`);
}

async function compare(page, name, numbers) {
  for (const [selector, value] of Object.entries(numbers)) {
    const shown = await page.evaluate((s) => {
      const node = document.querySelector(s);
      return node && (node.getAttribute("data-v") || node.textContent);
    }, selector);
    const same = typeof value === "number" ? Number(shown) === value : shown === value;
    check(same, `${name}: ${selector} is ${shown}, not ${value}`);
  }
}

// A click on the second heading sorts by coefficient, another one turns the order around.
async function sorts(page, name) {
  const column = () => page.evaluate(() => Array.from(document.querySelectorAll("table.sortable tbody tr"),
    (row) => Number(row.cells[1].getAttribute("data-v"))));
  for (const sign of [1, -1]) {
    await page.evaluate(() => document.querySelectorAll("table.sortable th button")[1].click());
    const values = await column();
    check(values.every((value, i) => i === 0 || sign * (value - values[i - 1]) >= 0), `${name}: the table is not sorted`);
  }
}

async function answersKeys(page, name, kind) {
  const marks = await page.evaluate((k) => document.querySelectorAll(`figure#${k} g.mark`).length, kind);
  if (marks === 0) return;
  await page.focus(`figure#${kind} .plot`);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  const said = await page.evaluate((k) => document.querySelector(`figure#${k} .value`).textContent, kind);
  check(said.length > 5, `${name}: the arrow keys say nothing in ${kind}`);
}

async function look(browser, one) {
  const name = path.basename(one.page), address = pathToFileURL(one.page).href;
  const page = await browser.newPage();
  const loaded = [];
  page.on("request", (request) => loaded.push(request.url()));
  page.on("pageerror", (error) => check(false, `${name}: ${error.message}`));
  page.on("console", (message) => check(message.type() !== "error", `${name}: ${message.text()}`));
  page.on("dialog", (dialog) => { check(false, `${name}: a name ran as a script`); dialog.dismiss(); });
  for (const scheme of ["light", "dark"])
    for (const width of [1100, 375]) {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      await page.setViewport({ width, height: 900 });
      await page.goto(address);
      await judge(page, `${name}, ${scheme}, ${width}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      check(wide <= width, `${name}: ${wide} pixels wide on a screen of ${width}`);
      if (folder)
        await page.screenshot({ path: path.join(folder, `${name}-${scheme}-${width}.png`), fullPage: true });
    }
  check(loaded.every((url) => url === address), `${name}: loads ${loaded}`);
  await compare(page, name, one.numbers);
  for (const kind of one.kinds) {
    check(await page.$(`figure#${kind} svg`), `${name}: there is no picture ${kind}`);
    await answersKeys(page, name, kind);
  }
  await sorts(page, name);
  const strangers = await page.evaluate(() => document.querySelectorAll(
    "b, u, i, img, image, iframe, object, embed, [onload], [onclick], [onerror], script:not(:last-of-type)").length);
  check(strangers === 0, `${name}: a name brought markup along`);
  const ids = await page.evaluate(() => Array.from(document.querySelectorAll("[id]"), (node) => node.id));
  check(new Set(ids).size === ids.length, `${name}: an id stands twice`);
  await page.close();
}

(async () => {
  const browser = await puppeteer.launch({ executablePath: chromium, headless: true,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
  const cases = JSON.parse(fs.readFileSync(list, "utf8"));
  for (const one of cases) await look(browser, one);
  await browser.close();
  for (const text of wrong) console.log("WRONG: " + text);
  console.log(`${checks} checks of ${cases.length} pages, ${wrong.length} wrong`);
  process.exit(wrong.length ? 1 : 0);
})().catch((error) => { console.error(error); process.exit(1); });
