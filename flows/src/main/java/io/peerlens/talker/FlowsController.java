package io.peerlens.talker;

import io.peerlens.api.FlowsApi;
import io.peerlens.api.model.FlowPage;
import io.peerlens.api.model.FlowService;
import io.peerlens.api.model.FlowServiceList;
import io.peerlens.api.model.TalkerDimension;
import io.peerlens.api.model.TalkerDirection;
import io.peerlens.api.model.TalkerMeasure;
import io.peerlens.api.model.TrafficType;
import io.peerlens.load.Heavy;
import io.peerlens.load.HeavyWork;
import io.peerlens.talker.FlowParameters.Window;
import io.peerlens.web.ApiException;
import jakarta.servlet.http.HttpServletRequest;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class FlowsController implements FlowsApi {

  private static final int MOST_AS_JSON = 1_000;

  private final FlowAnswers flows;
  private final TalkerAnswers talkers;
  private final InstantSource clock;
  private final HttpServletRequest request;

  FlowsController(
      FlowAnswers flows, TalkerAnswers talkers, InstantSource clock, HttpServletRequest request) {
    this.flows = flows;
    this.talkers = talkers;
    this.clock = clock;
    this.request = request;
  }

  @Heavy(HeavyWork.RANKING)
  @Override
  public ResponseEntity<FlowPage> listFlows(
      @Nullable String from,
      @Nullable String to,
      @Nullable TrafficType trafficType,
      @Nullable List<String> ports,
      @Nullable List<String> scope,
      @Nullable List<String> peerScope,
      @Nullable List<String> network,
      @Nullable List<String> tier,
      TalkerDirection direction,
      @Nullable String search,
      TalkerMeasure sort,
      Integer limit,
      @Nullable String cursor) {
    String accepted = request.getHeader(HttpHeaders.ACCEPT);
    if (limit > MOST_AS_JSON && (accepted == null || !accepted.contains("text/csv"))) {
      throw ApiException.invalidParameter("limit", "as JSON it is at most " + MOST_AS_JSON)
          .hint("Follow nextCursor, or accept text/csv.");
    }
    if (search != null) {
      FlowParameters.storable("q", search);
    }
    Window window = Window.of(from, to, clock.instant());
    FlowCondition condition =
        FlowParameters.condition(
            trafficType,
            ports,
            scope,
            peerScope,
            FlowParameters.names("network", request),
            FlowParameters.names("tier", request),
            direction);
    String question = "flows %s %s %s %s %s".formatted(from, to, condition, search, sort);
    return ResponseEntity.ok(
        flows.page(
            new FlowAnswers.Question(
                condition,
                search,
                window.from(),
                window.to(),
                sort == TalkerMeasure.RATE
                    ? io.peerlens.ingest.flow.TalkerMeasure.BYTES
                    : io.peerlens.ingest.flow.TalkerMeasure.valueOf(sort.name()),
                limit,
                question),
            cursor));
  }

  @Heavy(HeavyWork.RANKING)
  @Override
  public ResponseEntity<FlowServiceList> listFlowPorts(
      @Nullable String from,
      @Nullable String to,
      @Nullable TrafficType trafficType,
      @Nullable List<String> ports,
      @Nullable List<String> scope,
      @Nullable List<String> peerScope,
      @Nullable List<String> network,
      @Nullable List<String> tier,
      TalkerDirection direction,
      Integer limit) {
    Window window = Window.of(from, to, clock.instant());
    FlowCondition condition =
        FlowParameters.condition(
            trafficType,
            ports,
            scope,
            peerScope,
            FlowParameters.names("network", request),
            FlowParameters.names("tier", request),
            direction);
    List<FlowService> services =
        talkers
            .top(
                new TalkerQuestion(
                    TalkerDimension.PORT,
                    TalkerMeasure.BYTES,
                    condition,
                    window.from(),
                    window.to(),
                    false,
                    false,
                    false,
                    false,
                    limit))
            .getItems()
            .stream()
            .map(
                item ->
                    TalkerNames.service(Long.parseLong(item.getTalker().getKey()))
                        .bytes(item.getValue().longValue()))
            .toList();
    return ResponseEntity.ok(new FlowServiceList(services));
  }
}
