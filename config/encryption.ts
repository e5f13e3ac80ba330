import { defineConfig, drivers } from '@adonisjs/core/encryption'
import env from '#start/env'
import identityProvider from '#config/identity_provider'

export default defineConfig({
  default: 'app',
  list: {
    app: drivers.aes256gcm({ id: 'app', keys: [env.get('APP_KEY').release()] }),
    ...(identityProvider.encryptionKey && {
      identityProvider: drivers.aes256gcm({ id: 'idp', keys: [identityProvider.encryptionKey] }),
    }),
  },
})
