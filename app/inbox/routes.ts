import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import { throttle } from '#start/limiter'
import '#app/inbox/stream/end_of_access'
import httpLimits from '#config/http_limits'

const { Component, Inbox, InboxStream } = controllers.inbox
const ownBody = middleware.json({ limit: httpLimits.bodyBytes.own })

router
  .group(() => {
    router.get('/', [Inbox, 'index']).use(middleware.inTurn())
    router.get('/unread-count', [Inbox, 'unreadCount'])
    router.post('/stream-ticket', [InboxStream, 'ticket']).use(ownBody)
    router.post('/read-all', [Inbox, 'readAll']).use(ownBody)
    router.patch('/:id/read', [Inbox, 'read']).use(ownBody)
    router.patch('/:id/unread', [Inbox, 'unread']).use(ownBody)
    router.patch('/:id/archive', [Inbox, 'archive']).use(ownBody)
    router.patch('/:id/unarchive', [Inbox, 'unarchive']).use(ownBody)
    router.patch('/:id/snooze', [Inbox, 'snooze']).use(ownBody)
  })
  .prefix('/api/profile/me/notifications/inbox')
  .as('own_notifications')
  .use([middleware.token(), throttle.token])

router.get('/concierge-inbox.js', [Component, 'script']).as('inbox_component').use(throttle.public)

router
  .get('/api/profile/me/notifications/inbox/stream', [InboxStream, 'show'])
  .as('own_notifications.inbox_stream.show')
  .use([middleware.streamCaller(), throttle.token])
