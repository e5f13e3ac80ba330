import type { Api } from './data/api.ts'
import { trustedScript } from './trusted.ts'

/** Web Push in this browser, by the service worker of the page. */
export class Push {
  readonly #api: Api
  readonly #path: () => string | null

  constructor(api: Api, path: () => string | null) {
    this.#api = api
    this.#path = path
  }

  /** Whether the page has a service worker and the browser can do it. */
  get isPossible(): boolean {
    return this.#path() !== null && 'serviceWorker' in navigator && 'PushManager' in globalThis
  }

  get isDenied(): boolean {
    return Notification.permission === 'denied'
  }

  async isOn(): Promise<boolean> {
    const registration = await navigator.serviceWorker.getRegistration(this.#path()!)
    return Boolean(await registration?.pushManager.getSubscription())
  }

  /** Asks the user for permission. @returns whether it is on now */
  async turnOn(): Promise<boolean> {
    if ((await Notification.requestPermission()) !== 'granted') return false
    await navigator.serviceWorker.register(trustedScript(this.#path()!))
    const { pushManager } = await navigator.serviceWorker.ready
    const applicationServerKey = await this.#api.vapidKey()
    const options = { userVisibleOnly: true, applicationServerKey }
    const subscription = await pushManager.subscribe(options)
    try {
      await this.#api.subscribe(subscription.toJSON())
    } catch (error) {
      await subscription.unsubscribe()
      throw error
    }
    return true
  }

  async turnOff() {
    const registration = await navigator.serviceWorker.getRegistration(this.#path()!)
    const subscription = await registration?.pushManager.getSubscription()
    if (!subscription) return
    await this.#api.unsubscribe(subscription.endpoint)
    await subscription.unsubscribe()
  }
}
