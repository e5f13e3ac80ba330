import { readFile } from 'node:fs/promises'
import app from '@adonisjs/core/services/app'

let bundle: Promise<string> | undefined

/**
 * Scalar's script for browsers, which `bin/reference_script.js` has put there. Read when first
 * asked for: it is large.
 */
export function scalarBundle(): Promise<string> {
  return (bundle ??= readFile(app.makePath('resources/api_reference/scalar.js'), 'utf8'))
}
