import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const ELSEWHERE = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
/** Nothing that asks its maker's servers, or needs a graphics card. */
const FLAGS = [
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

let browser: Browser | undefined

/** One for the whole process; every test has a context of its own in it. */
export async function startChromium(): Promise<Browser> {
  return (browser ??= await chromium.launch({ executablePath: findChromium(), args: FLAGS }))
}

export async function stopChromium() {
  await browser?.close()
  browser = undefined
}

/** @throws Error if there is none */
export function findChromium(): string {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = folders.flatMap((folder) => COMMANDS.map((name) => join(folder, name)))
  const found = [...candidates, ...ELSEWHERE].find(isExecutable)
  if (found) return found
  throw new Error('Browser tests need Chromium: install it, or set CHROMIUM_PATH to its executable')
}

function isExecutable(path: string) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
