package io.peerlens.run.read;

import java.util.Locale;
import java.util.regex.Pattern;

/** Which tool wrote a file, told by what is in it. */
enum FileKind {
  FIO_JSON,
  FIO_LOG,
  FIO_TEXT,
  VDBENCH_FLATFILE,
  VDBENCH_SUMMARY,
  VDBENCH_TOTALS,
  VDBENCH_HISTOGRAM,
  VDBENCH_PARAMETERS,
  VDBENCH_TEXT,
  DISKSPD,
  DISKSPD_TEXT,
  IOMETER,
  IOBLAZER,
  HCIBENCH_RESULT,
  HCIBENCH_RESOURCES,
  LOGIN_ENTERPRISE,
  CSV_MAPPING,
  ARCHIVE,
  EMPTY,
  OTHER;

  /** Characters of the beginning that tell it; fio may write that many warnings first. */
  static final int HEAD = 1 << 16;

  private static final Pattern FLATFILE =
      Pattern.compile("(?m)^\\s*tod\\s.*\\bRun\\s+Interval\\s", Pattern.CASE_INSENSITIVE);
  private static final Pattern DISKSPD_ROOT =
      Pattern.compile("<Results>\\s*<(System|Profile|TimeSpan)>");
  private static final Pattern HCIBENCH_FIGURE = Pattern.compile("(?m)^IOPS\\s*= .*IO/[sS]");
  private static final Pattern HCIBENCH_FAILURE =
      Pattern.compile("(?m)^All the VMs finished testing early");
  private static final Pattern FIO_TEXT_LINE =
      Pattern.compile("(?m)^.+: \\(groupid=\\d+, jobs=\\d+\\): err= *\\d+|\\A\\d;fio-\\d");
  private static final Pattern IOBLAZER_WORD =
      Pattern.compile("\\bioblazer\\b", Pattern.CASE_INSENSITIVE);

  /**
   * @param head the beginning of the file, of at most {@link #HEAD} characters
   * @param name of the file, where the content alone does not tell
   */
  static FileKind of(String head, String name) {
    if (head.isBlank()) {
      return EMPTY;
    }
    if (head.startsWith("PK\u0003\u0004")) {
      return ARCHIVE;
    }
    if (head.contains("\"fio version\"")) {
      return FIO_JSON;
    }
    if (head.contains("\"csvMapping\"")) {
      return CSV_MAPPING;
    }
    if (DISKSPD_ROOT.matcher(head).find()) {
      return DISKSPD;
    }
    if (head.stripLeading().startsWith("'Test Type,Test Description")) {
      return IOMETER;
    }
    if (FioLog.is(head)) {
      return FIO_LOG;
    }
    FileKind vdbench = vdbench(head);
    if (vdbench != OTHER) {
      return vdbench;
    }
    boolean said = HCIBENCH_FIGURE.matcher(head).find();
    if (said || HCIBENCH_FAILURE.matcher(head).find()) {
      return HCIBENCH_RESULT;
    }
    if (name.equals("resource_usage.info")) {
      return HCIBENCH_RESOURCES;
    }
    if (LoginEnterpriseFile.is(head)) {
      return LOGIN_ENTERPRISE;
    }
    if (FIO_TEXT_LINE.matcher(head).find()) {
      return FIO_TEXT;
    }
    boolean ioblazer =
        IOBLAZER_WORD.matcher(head.substring(0, Math.min(head.length(), 2_000))).find();
    if (head.contains("thread |       bytes     |     I/Os")) {
      return DISKSPD_TEXT;
    }
    return ioblazer && head.toLowerCase(Locale.ROOT).contains("iops") ? IOBLAZER : OTHER;
  }

  private static FileKind vdbench(String head) {
    if (FLATFILE.matcher(head).find()) {
      return VDBENCH_FLATFILE;
    }
    if (head.contains("Vdbench summary report")) {
      return VDBENCH_SUMMARY;
    }
    if (head.contains("Total response time histogram.")) {
      return VDBENCH_HISTOGRAM;
    }
    if (head.contains("* Contents of parameter file:")) {
      return VDBENCH_PARAMETERS;
    }
    String start = head.substring(0, Math.min(head.length(), 400)).toLowerCase(Locale.ROOT);
    if (start.contains("run totals") && head.contains("RD=")) {
      return VDBENCH_TOTALS;
    }
    // Reports of hosts, disks and workloads begin with what they are of; what was printed does not.
    boolean printed = head.contains("Vdbench distribution:") && !start.contains("<pre>");
    return printed ? VDBENCH_TEXT : OTHER;
  }
}
