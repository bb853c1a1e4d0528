// Opens the page in headless Chromium, and prints what its `check` answers:
//   node drive.mjs CHROMIUM PAGE_URL SERVICE_URL PROTOCOL < position.json
import { text } from "node:stream/consumers";
import { chromium } from "playwright-core";

const [executablePath, pageUrl, serviceUrl, protocol] = process.argv.slice(2);
const position = JSON.parse(await text(process.stdin));
const browser = await chromium.launch({ executablePath });
try {
  const page = await browser.newPage();
  await page.goto(pageUrl);
  const answer = await page.evaluate(
    ([url, protocol, position]) => window.check(url, protocol, position),
    [serviceUrl, protocol, position],
  );
  console.log(JSON.stringify(answer));
} finally {
  await browser.close();
}
