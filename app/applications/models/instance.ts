import { isDeepStrictEqual } from 'node:util'
import { afterDelete, afterSave } from '@adonisjs/lucid/orm'
import { instanceOrigins } from '#app/applications/values/instance_origins'
import { InstanceSchema } from '#database/schema'

/** The fields that an approval covers. */
export interface InstanceUrls {
  baseUrl: string
  callbackUrls: string[]
  postLogoutUrls: string[]
}

/** A deployment of an application. Its URLs are used only while it is `approved`. */
export default class Instance extends InstanceSchema {
  get urls(): InstanceUrls {
    const { baseUrl, callbackUrls, postLogoutUrls } = this
    return { baseUrl, callbackUrls, postLogoutUrls }
  }

  hasUrls(urls: InstanceUrls): boolean {
    return isDeepStrictEqual(this.urls, urls)
  }

  @afterSave()
  @afterDelete()
  static invalidateOrigins(instance: Instance) {
    instanceOrigins.clearAfterCommit(instance)
  }
}
