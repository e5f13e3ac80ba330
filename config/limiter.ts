import { defineConfig, stores } from '@adonisjs/limiter'

export default defineConfig({
  default: 'memory',
  stores: { memory: stores.memory({}) },
})

declare module '@adonisjs/limiter/types' {
  interface LimitersList {
    memory: ReturnType<typeof stores.memory>
  }
}
