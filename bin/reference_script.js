/**
 * Copies the script of the API reference out of its package. The package hides it in a Fastify
 * plugin, so this calls the plugin with an object that only records its routes.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import plugin from '@scalar/fastify-api-reference'

const target = fileURLToPath(new URL('../resources/api_reference/scalar.js', import.meta.url))

const routes = []
const host = { hasPlugin: () => false, route: (route) => routes.push(route) }
const options = { routePrefix: '/docs', configuration: { url: '/api/openapi.json' } }
await new Promise((resolve) => plugin(host, options, resolve))

const { handler } = routes.find(({ url }) => url.endsWith('.js'))
const script = await new Promise((resolve) => {
  const reply = { header: () => reply, send: resolve }
  handler.call(host, {}, reply)
})

const temporary = `${target}.${process.pid}`
mkdirSync(dirname(target), { recursive: true })
writeFileSync(temporary, script)
renameSync(temporary, target)
