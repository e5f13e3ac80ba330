import { readFile } from 'node:fs/promises'
import app from '@adonisjs/core/services/app'

let bundle: Promise<string> | undefined

/** Written by `bin/reference_script.js`. Loaded on demand because it is large. */
export function readScalarScript(): Promise<string> {
  return (bundle ??= readFile(app.makePath('resources/api_reference/scalar.js'), 'utf8'))
}
