import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** Evaluated, because the policy of the pages allows no other script. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** WCAG 2.2, levels A and AA. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Violations of WCAG 2.2 A and AA in what the page shows now, as lines of text. */
export async function violations(page: Page): Promise<string[]> {
  const isThere = await page.evaluate<boolean>('"axe" in globalThis')
  if (!isThere) await page.evaluate(AXE)
  const options = JSON.stringify({ runOnly: TAGS, resultTypes: ['violations'] })
  const results = await page.evaluate<AxeResults>(`axe.run(document, ${options})`)
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) =>
      [`${id}: ${help}`, html.slice(0, 300), failureSummary].join('\n')
    )
  )
}
