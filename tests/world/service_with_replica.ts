import { PostgresPair } from '#tests/world/postgres_pair'
import { startService } from '#tests/world/service'
import { TcpProxy } from '#tests/world/tcp_proxy'

/** A service that reaches its replica, a real standby, through a proxy that can break. */
export async function startServiceWithReplica() {
  const pair = await PostgresPair.start()
  const proxy = await TcpProxy.inFrontOf(pair.standbyUrl)
  const running = await startService({
    DATABASE_URL: pair.primaryUrl,
    DATABASE_REPLICA_URL: proxy.url,
  })
  const stop = async () => {
    await running.stop()
    proxy.stop()
    await pair.stop()
  }
  return { pair, proxy, running, stop }
}
