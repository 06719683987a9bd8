package io.peerlens.role;

import io.peerlens.notify.ChannelsConfiguration;
import io.peerlens.notify.notice.NoticeConfiguration;
import io.peerlens.talker.report.TalkerReportNotifierConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Decides who is told of what happened to alerts, and delivers it. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.NOTIFIER)
@Import({
  ChannelsConfiguration.class,
  NoticeConfiguration.class,
  TalkerReportNotifierConfiguration.class
})
public class NotifierRole {}
