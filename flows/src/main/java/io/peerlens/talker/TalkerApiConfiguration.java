package io.peerlens.talker;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Rankings of talkers and flows in the API. */
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
