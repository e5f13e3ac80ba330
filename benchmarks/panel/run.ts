import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runLanes } from '#tests/run_lanes'

/** `npm run benchmark:panel`: how fast the panel shows its pages and answers keys. */
const folder = mkdtempSync(join(tmpdir(), 'concierge-speed-'))
const lane = { title: 'SQLite', database: 'sqlite' as const, files: ['tests/browser/speed.ts'] }
const [{ code }] = await runLanes([lane], { folder, args: [], atOnce: 1 })
rmSync(folder, { recursive: true, force: true })
process.exit(code)
