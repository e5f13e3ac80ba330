import { writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

const QUALITY = 75

/** Playwright knows no WebP, which is a third of the size. */
export async function takePicture(page: Page, file: string) {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: QUALITY,
  })
  writeFileSync(file, Buffer.from(data, 'base64'))
}
