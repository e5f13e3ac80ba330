import { computed, onScopeDispose, ref } from 'vue'
import { useI18n } from 'vue-i18n'
import { useRoute, useRouter } from 'vue-router'
import { randomKey } from '@/api/random_key'
import type en from '@/locales/en'

/** How a test sign-in ended, as the service says it in the address; each has its texts. */
export type Outcome = keyof (typeof en)['provider']['outcome']

/** In the storage of the tab that began a test: what its outcome must name. */
const NONCE = 'concierge-test-sign-in'
const CHANNEL = 'concierge test sign-in'

/** `ended` comes from the window of a test, `taken` from the tab that began it. */
type Message = { kind: 'ended'; nonce: string; outcome: string } | { kind: 'taken'; nonce: string }

/**
 * The outcome of the test sign-in that this tab began, or in whose window this is. Anyone can make
 * a link with an outcome, so the tab that began a test believes only its own, once, and the window
 * of the test only that tab.
 */
export function useTestSignIn() {
  const { te } = useI18n()
  const { query } = useRoute()
  const router = useRouter()
  const outcome = ref<Outcome | null>(null)
  const isWindowOfTest = ref(false)
  const nonce = ref(sessionStorage.getItem(NONCE) ?? newNonce())
  const channel = new BroadcastChannel(CHANNEL)
  const said = { nonce: String(query.test ?? ''), outcome: String(query.outcome ?? '') }

  function show(text: string) {
    outcome.value = te(`provider.outcome.${text}`) ? (text as Outcome) : 'other'
  }

  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'ended') {
      if (data.nonce !== nonce.value) return
      nonce.value = newNonce()
      show(data.outcome)
      channel.postMessage({ kind: 'taken', nonce: data.nonce } satisfies Message)
    } else if (data.nonce === said.nonce && said.outcome !== '') {
      isWindowOfTest.value = true
      show(said.outcome)
      void router.replace({ query: {} })
    }
  })
  if (said.nonce !== '') channel.postMessage({ kind: 'ended', ...said } satisfies Message)
  onScopeDispose(() => channel.close())
  return { outcome, isWindowOfTest, href: computed(() => `/panel/login?test=${nonce.value}`) }
}

function newNonce(): string {
  const nonce = randomKey()
  sessionStorage.setItem(NONCE, nonce)
  return nonce
}
