import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runLanes } from '#tests/run_lanes'

/**
 * `npm run panel:screenshots`: pictures of all screens of the panel and of the inbox component, in
 * `docs/images`.
 */
const folder = mkdtempSync(join(tmpdir(), 'concierge-pictures-'))
const lane = {
  title: 'SQLite',
  database: 'sqlite' as const,
  files: ['tests/browser/screenshots.ts', 'tests/browser/inbox_screenshots.ts'],
}
const [{ code }] = await runLanes([lane], { folder, args: [], atOnce: 1 })
rmSync(folder, { recursive: true, force: true })
process.exit(code)
