import type { Api } from './data/api.ts'
import { trustedScript } from './trusted.ts'

/** Web Push in this browser, with the service worker of the page. */
export class Push {
  readonly #currentApi: () => Api
  readonly #path: () => string | null

  constructor(api: () => Api, path: () => string | null) {
    this.#currentApi = api
    this.#path = path
  }

  /** Whether the page has a service worker and the browser supports push messages. */
  get isPossible(): boolean {
    return this.#path() !== null && 'serviceWorker' in navigator && 'PushManager' in globalThis
  }

  get isDenied(): boolean {
    return Notification.permission === 'denied'
  }

  /** Whether messages of this user arrive: another one may have subscribed this browser. */
  async isOn(): Promise<boolean> {
    const api = this.#currentApi()
    const subscription = await this.#subscription()
    return Boolean(subscription && (await api.endpoints()).includes(subscription.endpoint))
  }

  /** Asks the user for permission. @throws Error if the user refuses */
  async turnOn() {
    const api = this.#currentApi()
    if ((await Notification.requestPermission()) !== 'granted') throw new Error('Refused')
    await navigator.serviceWorker.register(trustedScript(this.#path()!))
    const { pushManager } = await navigator.serviceWorker.ready
    const applicationServerKey = await api.vapidKey()
    // It is another user's, or was made with a key that the service no longer has.
    await (await pushManager.getSubscription())?.unsubscribe()
    const options = { userVisibleOnly: true, applicationServerKey }
    const subscription = await pushManager.subscribe(options)
    try {
      await api.subscribe(subscription.toJSON(), applicationServerKey)
    } catch (error) {
      await subscription.unsubscribe()
      throw error
    }
  }

  async turnOff() {
    const api = this.#currentApi()
    const subscription = await this.#subscription()
    if (!subscription) return
    await api.unsubscribe(subscription.endpoint)
    await subscription.unsubscribe()
  }

  async #subscription() {
    const registration = await navigator.serviceWorker.getRegistration(this.#path()!)
    return registration?.pushManager.getSubscription()
  }
}
