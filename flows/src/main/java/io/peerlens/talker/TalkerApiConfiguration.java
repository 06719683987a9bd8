package io.peerlens.talker;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Rankings of talkers and flows in the API. */
@Configuration(proxyBeanMethods = false)
@Import({TalkerAnswersConfiguration.class, TopTalkersController.class, FlowsController.class})
public class TalkerApiConfiguration {

  @Bean
  TopTalkersCsv topTalkersCsv() {
    return new TopTalkersCsv();
  }

  @Bean
  FlowsCsv flowsCsv() {
    return new FlowsCsv();
  }

  @Bean
  FlowAnswers flowAnswers(FlowSumQueries flows, TalkerNames names) {
    return new FlowAnswers(flows, names);
  }
}
