import './main.css'
import './theme'
import { QueryClient, VueQueryPlugin } from '@tanstack/vue-query'
import { createApp } from 'vue'
import { whenSignedOut } from '@/api/client'
import { Problem } from '@/api/problem'
import AppFrame from '@/frame/AppFrame.vue'
import { isLoadFailure, isUnreachable } from '@/frame/reachable'
import { i18n, initialLanguage, setLanguage } from '@/i18n'
import { router } from '@/router'
import { mayBeSignedIn, signIn, takeReturnAddress } from '@/session/session'

const isWorthRetrying = (count: number, error: Error) =>
  count < 2 && (!(error instanceof Problem) || [429, 502, 503].includes(error.status))

const queryClient = new QueryClient({
  defaultOptions: {
    // Without a network, what fails says so instead of waiting for one.
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 10_000,
      retry: isWorthRetrying,
    },
    mutations: { networkMode: 'always' },
  },
})

async function start() {
  whenSignedOut(() => signIn())
  await setLanguage(initialLanguage())
  const returnTo = takeReturnAddress()
  if (returnTo) await router.replace(returnTo)
  const app = createApp(AppFrame)
  app.config.errorHandler = (error) => {
    if (isLoadFailure(error)) isUnreachable.value = true
    console.error(error)
  }
  app.use(router).use(i18n).use(VueQueryPlugin, { queryClient }).mount('#app')
}

// Not awaited: pages import from this file's chunk, which would wait for them.
if (mayBeSignedIn()) void start()
else signIn()
