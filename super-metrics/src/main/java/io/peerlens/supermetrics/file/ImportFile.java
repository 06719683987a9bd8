package io.peerlens.supermetrics.file;

import io.peerlens.supermetrics.SuperMetric;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Content of an imported file.
 *
 * @param name what the caller calls the file
 * @param superMetrics in the order of the file; one id or name may be there twice
 * @param enablements which policies of the file switch which super metrics on or off
 * @param problems what was not taken over, and why
 * @param problemCount number of problems; more than {@code problems} holds when there are many
 * @param leftAlone paths of documents in a ZIP that hold no super metrics
 * @param marker what a ZIP of content management says of the installation it comes from
 */
public record ImportFile(
    String name,
    List<Found> superMetrics,
    List<Enablement> enablements,
    List<Problem> problems,
    int problemCount,
    List<String> leftAlone,
    @Nullable ContentMarker marker) {

  public ImportFile {
    superMetrics = List.copyOf(superMetrics);
    enablements = List.copyOf(enablements);
    problems = List.copyOf(problems);
    leftAlone = List.copyOf(leftAlone);
  }

  /**
   * One super metric of the file.
   *
   * @param definition as it stands there
   * @param place where it stands
   * @param remarks what is odd about it; it was taken over all the same
   */
  public record Found(SuperMetric definition, Place place, List<String> remarks) {

    public Found {
      remarks = List.copyOf(remarks);
    }
  }

  /**
   * Switch of a policy: a super metric is on or off for one object kind.
   *
   * @param policy name of the policy, or its id, or {@code null} when the file gives neither
   * @param adapterKind such as {@code VMWARE}
   * @param objectKind such as {@code VirtualMachine}
   * @param superMetric id of the super metric
   * @param enabled on or off
   */
  public record Enablement(
      @Nullable String policy,
      String adapterKind,
      String objectKind,
      UUID superMetric,
      boolean enabled) {}

  /**
   * The marker file of a content-management ZIP. vRealize Operations imports only a ZIP that bears
   * its own marker, so an export for a certain installation needs the marker that one of its own
   * exports has.
   *
   * @param number 19 digits, the same in all exports of one installation
   * @param owner id of the user who owns the content, normally a uuid
   */
  public record ContentMarker(String number, String owner) {

    public ContentMarker {
      if (!number.matches("[0-9]{19}")) {
        throw new IllegalArgumentException("the marker must be 19 digits, not '" + number + "'");
      }
    }
  }
}
