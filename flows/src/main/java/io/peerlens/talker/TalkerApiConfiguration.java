package io.peerlens.talker;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Controllers of talkers and flows. */
@Configuration(proxyBeanMethods = false)
@Import({
  TalkerAnswersConfiguration.class,
  TopTalkersController.class,
  FlowsController.class,
  TopTalkersCsv.class,
  FlowsCsv.class,
  FlowAnswers.class
})
public class TalkerApiConfiguration {}
