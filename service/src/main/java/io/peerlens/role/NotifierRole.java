package io.peerlens.role;

import io.peerlens.notify.ChannelsConfiguration;
import io.peerlens.notify.pipeline.PipelineConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Decides who is told of what happened to alerts, and delivers it. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.NOTIFIER)
@Import({ChannelsConfiguration.class, PipelineConfiguration.class})
public class NotifierRole {}
