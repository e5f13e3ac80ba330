import { defineConfig, drivers } from '@adonisjs/core/encryption'
import env from '#start/env'
import { commaSeparated } from '#core/values/comma_separated'
import identityProvider from '#config/identity_provider'

const previousKeys = commaSeparated(env.get('APP_KEY_PREVIOUS')?.release())

export default defineConfig({
  default: 'app',
  list: {
    // The first key encrypts, all of them decrypt.
    app: drivers.aes256gcm({ id: 'app', keys: [env.get('APP_KEY').release(), ...previousKeys] }),
    ...(identityProvider.encryptionKey && {
      identityProvider: drivers.aes256gcm({ id: 'idp', keys: [identityProvider.encryptionKey] }),
    }),
  },
})
