/**
 * Value of a setting of Bottlerocket.
 *
 * @see https://bottlerocket.dev/en/os/latest/#/api/settings/
 */
export class BottlerocketSetting {
  /** A string, such as `integrity` for `lockdown`. */
  public static text(value: string): BottlerocketSetting {
    return new BottlerocketSetting(value);
  }

  /** A number, such as 20 for `registry-qps`. */
  public static number(value: number): BottlerocketSetting {
    return new BottlerocketSetting(value);
  }

  /** A boolean, such as false for `server-tls-bootstrap`. */
  public static flag(value: boolean): BottlerocketSetting {
    return new BottlerocketSetting(value);
  }

  /** A list of strings, such as `ntp.example.com` for `time-servers`. */
  public static texts(...values: string[]): BottlerocketSetting {
    return new BottlerocketSetting([...values]);
  }

  /** A table of strings, such as `{ 'vm.max_map_count': '262144' }` for `sysctl`. */
  public static textMap(values: { [key: string]: string }): BottlerocketSetting {
    return new BottlerocketSetting({ ...values });
  }

  /**
   * Any other value, such as `[{"registry":"*","endpoint":["https://mirror.example.com"]}]` for `mirrors`.
   *
   * @param text the value in JSON
   * @throws Error if the text is not JSON
   */
  public static json(text: string): BottlerocketSetting {
    try {
      return new BottlerocketSetting(JSON.parse(text));
    } catch (cause) {
      throw new Error(
        `BottlerocketSetting.json: must be JSON, got ${JSON.stringify(text)}; write for example {"enabled":true}`,
        { cause },
      );
    }
  }

  private constructor(private readonly value: unknown) {}

  /** @internal */
  public _toValue(): unknown {
    return this.value;
  }
}
