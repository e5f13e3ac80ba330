import type Instance from '#app/applications/models/instance'

export function instanceResource(instance: Instance) {
  return {
    id: instance.id,
    name: instance.name,
    baseUrl: instance.baseUrl,
    callbackUrls: instance.callbackUrls,
    postLogoutUrls: instance.postLogoutUrls,
    approved: instance.approved,
  }
}
