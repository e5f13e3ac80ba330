/**
 * Builds the inbox component and its types if its sources changed. `bin/prepare.js --panel` runs
 * it. Without Vite (in a production install), it does nothing.
 */
import { copyFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { buildIfChanged, findVite, run, runVite } from './browser_build.js'

const path = (name) => fileURLToPath(new URL(name, import.meta.url))

const FOLDER = path('inbox')

if (findVite()) {
  buildIfChanged(FOLDER, {}, () => {
    rmSync(path('inbox/dist'), { recursive: true, force: true })
    runVite(FOLDER)
    run(FOLDER, createRequire(import.meta.url).resolve('typescript/bin/tsc'))
    copyFileSync(path('inbox/src/service-worker.js'), path('inbox/dist/service-worker.js'))
  })
}
