import { Testing, Yaml } from 'cdk8s';
import { QuickstartChart } from '../../examples/quickstart/chart';

test('the quickstart example equals the reviewed manifest', () => {
  const chart = new QuickstartChart(Testing.app(), 'quickstart');
  expect(Yaml.stringify(...Testing.synth(chart))).toMatchSnapshot();
});
