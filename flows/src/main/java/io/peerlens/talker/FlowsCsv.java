package io.peerlens.talker;

import io.peerlens.api.model.Flow;
import io.peerlens.api.model.FlowPage;
import io.peerlens.api.model.FlowService;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.TalkerEnd;
import io.peerlens.web.CsvConverter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Flows as CSV. */
final class FlowsCsv extends CsvConverter<FlowPage> {

  FlowsCsv() {
    super(FlowPage.class);
  }

  @Override
  protected List<String> columns() {
    return List.of(
        "from",
        "fromAddress",
        "fromNetwork",
        "fromObject",
        "to",
        "toAddress",
        "toNetwork",
        "toObject",
        "folded",
        "service",
        "serviceName",
        "towardsService",
        "trafficType",
        "bytes",
        "packets",
        "sessions",
        "flows",
        "resets",
        "drops",
        "peakMinuteBytes");
  }

  @Override
  protected List<List<@Nullable Object>> lines(FlowPage page) {
    List<List<@Nullable Object>> lines = new ArrayList<>();
    for (Flow flow : page.getItems()) {
      List<@Nullable Object> line = new ArrayList<>();
      end(line, flow.getFrom());
      end(line, flow.getTo());
      FlowService service = flow.getService();
      line.add(flow.getFolded());
      line.add(service == null ? null : service.getService());
      line.add(service == null ? null : service.getName());
      line.add(flow.getTowardsService());
      line.add(flow.getTrafficType().getValue());
      line.add(flow.getBytes());
      line.add(flow.getPackets());
      line.add(flow.getSessions());
      line.add(flow.getFlows());
      line.add(flow.getResets());
      line.add(flow.getDrops());
      line.add(flow.getPeakMinuteBytes());
      lines.add(line);
    }
    return lines;
  }

  private static void end(List<@Nullable Object> line, @Nullable TalkerEnd end) {
    ObjectRef object = end == null ? null : end.getObject();
    line.add(end == null ? null : end.getName());
    line.add(end == null ? null : end.getAddress());
    line.add(end == null ? null : end.getNetwork());
    line.add(object == null ? null : object.getId().toString());
  }
}
